/** The addresses of a target, each checked: what is returned here is what is connected to. */
import { lookup } from "node:dns/promises";
import { isPublic, isWithin, type Network, parseAddress } from "../public_address.ts";
import { OPEN_PORTS, type Target } from "./read_target.ts";

/** Returns the addresses of a name, as the machine's own resolver gives them; throws when there are none. */
export type Resolve = (name: string) => Promise<string[]>;

/** Most addresses of a name that are checked and tried. */
const MOST_ADDRESSES = 16;

export interface AddressRules {
  resolve: Resolve;
  /** Networks that the operator allows, on every port. */
  allowed: readonly Network[];
}

/** The name has no address, or one of its addresses is not allowed. */
export class AddressError extends Error {
  override readonly name = "AddressError";
  constructor(readonly reason: "name" | "address") {
    super(`Cannot send the webhook: ${reason}`);
  }
}

/** Asks the machine's resolver, with its files of names. */
export const resolveByMachine: Resolve = async (name) => {
  return (await lookup(name, { all: true })).map(({ address }) => address);
};

/**
 * Returns the addresses of a target, IPv4 first.
 *
 * @throws AddressError name when there is none; address when one of them, or the port, is not allowed
 */
export async function findAddresses(
  { host, port }: Pick<Target, "host" | "port">,
  { resolve, allowed }: AddressRules,
): Promise<string[]> {
  const found = parseAddress(host) === null ? await resolve(host).catch(() => []) : [host];
  if (found.length === 0) throw new AddressError("name");
  // One address that leads inwards is enough: which one a later look would find is the name server's choice.
  for (const address of found.slice(0, MOST_ADDRESSES)) {
    const bits = parseAddress(address);
    if (bits === null) throw new AddressError("address");
    if (isWithin(bits, allowed)) continue;
    if (!isPublic(bits) || !OPEN_PORTS.includes(port)) throw new AddressError("address");
  }
  return found.slice(0, MOST_ADDRESSES).sort((a, b) => Number(a.includes(":")) - Number(b.includes(":")));
}
