/** What one command is called with; it answers its exit code. */
export interface ShCall {
  /** Arguments without the command's own name. */
  args: string[];
  stdin: Uint8Array;
  variables: Map<string, string>;
  /** `timeout` kills it after so many ms, if it hangs. */
  limitMs?: number;
  out(data: string | Uint8Array): void;
  err(text: string): void;
}

export type ShCommand = (call: ShCall) => number | Promise<number>;
