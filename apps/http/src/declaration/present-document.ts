import type { WireDocument, WireEditedRecord } from '@plugin-config/contract';
import type { Declaration, DeclaredRecord, EditedRecord, ExportedDeclaration } from '@plugin-config/domain';
import { presentActor } from '../activity/present-actor.ts';

type WireRecord = NonNullable<WireDocument['plugin_configs']>[number];

export function declarationOf({ manager, ...families }: WireDocument): Declaration {
  const { plugin_configs: configs, pipeline_transformation_configs: transformations } = families;
  return {
    manager,
    plugin_configs: configs?.map(declaredOf),
    pipeline_transformation_configs: transformations?.map(declaredOf),
  };
}

function declaredOf({
  prevent_destroy: preventDestroy,
  moved_from: movedFrom,
  ...record
}: WireRecord): DeclaredRecord {
  return { ...record, preventDestroy, movedFrom };
}

/** A record as an export declares it: it had no other key. */
type ExportedRecord = Omit<DeclaredRecord, 'movedFrom'>;

export function presentDocument({ manager, warnings, ...families }: ExportedDeclaration): WireDocument {
  return {
    format: 1,
    manager,
    plugin_configs: families.plugin_configs?.map(presentDeclared),
    pipeline_transformation_configs: families.pipeline_transformation_configs?.map(presentDeclared),
    ...(warnings !== undefined && { warnings: [...warnings] }),
  };
}

function presentDeclared({ preventDestroy, ...record }: ExportedRecord): WireRecord {
  return { ...record, ...(preventDestroy !== undefined && { prevent_destroy: preventDestroy }) };
}

export function presentEdited({ fields, actor, at, ...edited }: EditedRecord): WireEditedRecord {
  return {
    ...edited,
    fields: [...fields],
    actor: actor && presentActor(actor),
    at: at?.toISOString() ?? null,
  };
}
