/** Cuts a complete multipart/form-data body (RFC 7578) into parts, at boundaries found while it was read. */

/** Far more than the two or three header lines of a part need with the longest name. */
const MAX_HEADER_BYTES = 16 * 1024;
const HEADER = /^([\w-]+):[ \t]*(.*)$/;
const PARAMETER = /;[ \t]*([\w*-]+)=(?:"([^"]*)"|([^;"\s]*))[ \t]*/y;

export interface Part {
  name: string;
  /** Undefined = a text field. */
  fileName: string | undefined;
  type: string;
  content: Uint8Array<ArrayBuffer>;
}

/**
 * Cuts a body into its parts, without copying.
 *
 * @param found positions of `line`, two dashes and the boundary, in the body; those within a line are skipped
 * @throws {SyntaxError} when the body is torn
 */
export function cutParts(body: Uint8Array<ArrayBuffer>, line: string, found: readonly number[]): Part[] {
  const starts = found.filter((at) => at === 0 || isLineEnd(body, at - 2));
  const parts: Part[] = [];
  for (const [index, start] of starts.entries()) {
    let at = start + line.length;
    if (body[at] === 0x2d && body[at + 1] === 0x2d) return parts;
    while (body[at] === 0x20 || body[at] === 0x09) at++;
    const next = starts[index + 1];
    if (!isLineEnd(body, at) || next === undefined) break;
    parts.push(readPart(body.subarray(at, Math.max(at, next - 2))));
  }
  throw new SyntaxError("Cannot read multipart: its last boundary is missing");
}

/** Reads a part from the bytes between the line end after one boundary and the line end before the next. */
function readPart(bytes: Uint8Array<ArrayBuffer>): Part {
  const head = bytes.subarray(0, MAX_HEADER_BYTES);
  const end = endOfHeaders(head);
  let type = "";
  let disposition = "";
  for (const line of new TextDecoder().decode(head.subarray(0, end)).split("\r\n")) {
    const [, name, value] = HEADER.exec(line) ?? [];
    if (name?.toLowerCase() === "content-type") type = value!;
    if (name?.toLowerCase() === "content-disposition") disposition = value!;
  }
  const { name, filename: fileName } = readDisposition(disposition);
  if (name === undefined) throw new SyntaxError("Cannot read multipart: a part has no name");
  return { name, fileName, type, content: bytes.subarray(end + 4) };
}

function endOfHeaders(bytes: Uint8Array): number {
  for (let at = 0; at + 3 < bytes.length; at++) {
    if (isLineEnd(bytes, at) && isLineEnd(bytes, at + 2)) return at;
  }
  throw new SyntaxError("Cannot read multipart: the headers of a part have no end");
}

function readDisposition(value: string): Record<string, string | undefined> {
  const found: Record<string, string | undefined> = Object.create(null);
  const kind = /^form-data[ \t]*/i.exec(value);
  if (kind === null) return found;
  PARAMETER.lastIndex = kind[0].length;
  for (let at = PARAMETER.lastIndex; at < value.length; at = PARAMETER.lastIndex) {
    const match = PARAMETER.exec(value);
    if (match === null) throw new SyntaxError("Cannot read multipart: a name is not as browsers write it");
    found[match[1]!.toLowerCase()] ??= unescaped(match[2] ?? match[3] ?? "");
  }
  return found;
}

/**
 * Decodes the three characters that browsers escape, and no others (https://html.spec.whatwg.org/#multipart-form-data).
 */
function unescaped(text: string): string {
  return text.replaceAll("%22", '"').replaceAll("%0D", "\r").replaceAll("%0A", "\n");
}

function isLineEnd(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x0d && bytes[at + 1] === 0x0a;
}
