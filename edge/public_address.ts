/** Which addresses a webhook may be sent to: those of the public Internet, and the networks that the operator allows. */

/** An address as 128 bits; IPv4 stands in ::ffff:0:0/96, so both kinds compare in one way. */
type Bits = bigint;

/** A network of such bits. */
export interface Network {
  bits: Bits;
  /** Leading bits of 128 that count. */
  prefix: number;
}

const V4 = 0xffffn << 32n;

/** IPv4 that is not the public Internet (IANA's special-purpose registry, and what clouds keep for themselves). */
const NOT_PUBLIC_4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  // Azure's own services of a machine, at an address that looks public.
  "168.63.129.16/32",
].map(known);
/** The only public part of IPv6. */
const PUBLIC_6 = known("2000::/3");
/** Parts of it that lead elsewhere: protocols of their own, examples, and tunnels that carry an IPv4 address. */
const NOT_PUBLIC_6 = [
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "2620:4f:8000::/48",
  "3fff::/20",
].map(known);
const MAPPED = known("::ffff:0:0/96");
/** Translates to IPv4 in networks without it: the address within counts. */
const NAT64 = known("64:ff9b::/96");

/** Returns the address's bits, or null for text that is none; a zone ("%eth0") makes it none. */
export function parseAddress(text: string): Bits | null {
  if (!text.includes(":")) {
    const four = parse4(text);
    return four === null ? null : V4 | four;
  }
  return parse6(text);
}

/** Returns the network that `text` names, such as `10.0.0.0/8` or `fd00::/8`, or null. */
export function parseNetwork(text: string): Network | null {
  const [, address, length] = /^([\da-fA-F.:]{2,45})(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  if (address === undefined) return null;
  const bits = parseAddress(address);
  if (bits === null) return null;
  const width = address.includes(":") ? 128 : 32;
  const prefix = length === undefined ? width : Number(length);
  return prefix > width ? null : { bits, prefix: prefix + 128 - width };
}

/** Returns whether `bits` lie in one of the networks. */
export function isWithin(bits: Bits, networks: readonly Network[]): boolean {
  return networks.some((network) => {
    const rest = BigInt(128 - network.prefix);
    return bits >> rest === network.bits >> rest;
  });
}

/** Returns whether an address belongs to the public Internet. */
export function isPublic(bits: Bits): boolean {
  if (isWithin(bits, [MAPPED])) return !isWithin(bits, NOT_PUBLIC_4);
  if (isWithin(bits, [NAT64])) return isPublic(V4 | (bits & 0xffffffffn));
  return isWithin(bits, [PUBLIC_6]) && !isWithin(bits, NOT_PUBLIC_6);
}

function known(text: string): Network {
  const network = parseNetwork(text);
  if (network === null) throw new TypeError(`"${text}" is no network`);
  return network;
}

function parse4(text: string): bigint | null {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) {
    return null;
  }
  return parts.reduce((bits, part) => bits << 8n | BigInt(part), 0n);
}

function parse6(text: string): bigint | null {
  const tail = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const four = tail === null ? null : parse4(tail[2]!);
  if (tail !== null && four === null) return null;
  const whole = four === null
    ? text
    : `${tail![1]}${(four >> 16n).toString(16)}:${(four & 0xffffn).toString(16)}`;
  const halves = whole.split("::");
  if (halves.length > 2) return null;
  const [left = [], right] = halves.map((half) => half === "" ? [] : half.split(":"));
  const given = [...left, ...right ?? []];
  if (!given.every((group) => /^[\da-f]{1,4}$/i.test(group))) return null;
  if (right === undefined ? given.length !== 8 : given.length > 7) return null;
  const zeros = Array<string>(8 - given.length).fill("0");
  return [...left, ...zeros, ...right ?? []].reduce((bits, group) => bits << 16n | BigInt(`0x${group}`), 0n);
}
