import type { Author } from '../kernel/author.ts';
import type { Json } from '../kernel/json.ts';
import type { Activity } from '../vocabulary/vocabulary.ts';

export interface FieldChange {
  readonly field: string;
  readonly before: Json;
  readonly after: Json;
}

export interface NewActivity extends Author {
  readonly activity: Activity;
  readonly changes: readonly FieldChange[];
  /** How many changes were left out of `changes`; absent if none. */
  readonly more?: number;
}

export interface ActivityEntry extends NewActivity {
  readonly id: number;
}
