import { formatPhone } from "shared/phone.ts";

/** A phone number as people write it, left to right. */
export function Phone({ e164 }: { e164: string }) {
  return <span className="num">{formatPhone(e164)}</span>;
}
