/** The input of one command. A command returns its exit code. */
export interface ShCall {
  /** Arguments without the command's own name. */
  args: string[];
  stdin: Uint8Array;
  variables: Map<string, string>;
  /** `timeout` kills a hanging command after this many ms. */
  limitMs?: number;
  out(data: string | Uint8Array): void;
  err(text: string): void;
}

export type ShCommand = (call: ShCall) => number | Promise<number>;
