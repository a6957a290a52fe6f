export interface Project {
  readonly id: number;
  readonly name: string;
  readonly created_at: string;
}
