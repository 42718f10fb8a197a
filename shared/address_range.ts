/** Addresses and networks (CIDR) in text: `203.0.113.7`, `203.0.113.0/24`, `2001:db8::/48`. */

/** A network: the bits of its start, and how many of them count. */
export interface AddressRange {
  family: 4 | 6;
  /** The 32 bits of an IPv4 address, or the 128 of an IPv6 address. */
  bits: bigint;
  /** Number of leading bits that count. */
  prefix: number;
}

const WIDTH = { 4: 32, 6: 128 };
/** First 96 bits of an IPv4 address in IPv6 (RFC 4291, 2.5.5.2). */
const MAPPED = 0xffffn;

/** Returns the range that `text` names, or null for other text. An address without a prefix is a range of one. */
export function parseRange(text: string): AddressRange | null {
  const [, address, length] = /^([\da-fA-F.:]{2,45})(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  if (address === undefined) return null;
  const parsed = parseAddress(address);
  if (parsed === null) return null;
  const most = WIDTH[parsed.family];
  const prefix = length === undefined ? most : Number(length);
  return prefix > most ? null : { ...parsed, prefix };
}

/** Returns whether `address` lies in `range`; an IPv4 address in IPv6 counts as the IPv4 address. */
export function isInRange(address: string, { family, bits, prefix }: AddressRange): boolean {
  const parsed = parseAddress(address);
  if (parsed === null || parsed.family !== family) return false;
  const rest = BigInt(WIDTH[family] - prefix);
  return parsed.bits >> rest === bits >> rest;
}

function parseAddress(text: string): Pick<AddressRange, "family" | "bits"> | null {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)?.[1] ?? text;
  if (mapped.includes(".")) return parse4(mapped);
  const parsed = mapped.includes(":") ? parse6(mapped) : null;
  if (parsed === null || parsed.bits >> 32n !== MAPPED) return parsed;
  return { family: 4, bits: parsed.bits & 0xffff_ffffn };
}

function parse4(text: string): Pick<AddressRange, "family" | "bits"> | null {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) {
    return null;
  }
  return { family: 4, bits: parts.reduce((bits, part) => bits << 8n | BigInt(part), 0n) };
}

function parse6(text: string): Pick<AddressRange, "family" | "bits"> | null {
  const halves = text.split("::");
  if (halves.length > 2) return null;
  const [left = [], right] = halves.map((half) => half === "" ? [] : half.split(":"));
  const given = [...left, ...right ?? []];
  if (!given.every((group) => /^[\da-f]{1,4}$/i.test(group))) return null;
  const isWhole = right === undefined ? given.length === 8 : given.length < 8;
  if (!isWhole) return null;
  const zeros: string[] = right === undefined ? [] : Array(8 - given.length).fill("0");
  const groups = [...left, ...zeros, ...right ?? []];
  return { family: 6, bits: groups.reduce((bits, group) => bits << 16n | BigInt(`0x${group}`), 0n) };
}
