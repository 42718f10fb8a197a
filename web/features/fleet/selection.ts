/** The phones that a person chose, by id. */
export interface Selection {
  has(id: number): boolean;
  set(ids: readonly number[], isOn: boolean): void;
}
