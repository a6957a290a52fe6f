import type { Adoption, Release } from '@plugin-config/client';
import { InvalidArgumentError } from 'commander';
import { readId } from '../whole-number.ts';

type Family = Adoption['records'][number]['family'];

const FAMILIES = new Set<string>(['plugin_configs', 'pipeline_transformation_configs'] satisfies Family[]);

interface RecordId {
  readonly family: Family;
  readonly id: number;
}

export function readRecord(text: string): RecordId {
  const [family, id] = split(text, '/', 'a family and an id, such as plugin_configs/42');
  return { family: familyOf(family), id: readId(id) };
}

type Adopted = Adoption['records'][number];

export function readAdopted(text: string, before: readonly Adopted[] = []): readonly Adopted[] {
  const [record, key] = split(text, '=', 'a record and a key, such as plugin_configs/42=geoip');
  return [...before, { ...readRecord(record), key }];
}

type Released = Release['keys'][number];

export function readReleased(text: string, before: readonly Released[] = []): readonly Released[] {
  const [family, key] = split(text, '/', 'a family and a key, such as plugin_configs/geoip');
  return [...before, { family: familyOf(family), key }];
}

function split(text: string, separator: string, expected: string): readonly [string, string] {
  const at = text.indexOf(separator);
  if (at < 1 || at === text.length - 1) throw new InvalidArgumentError(`It takes ${expected}.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function familyOf(text: string): Family {
  if (isFamily(text)) return text;
  throw new InvalidArgumentError(`The families are ${[...FAMILIES].join(' and ')}.`);
}

function isFamily(text: string): text is Family {
  return FAMILIES.has(text);
}
