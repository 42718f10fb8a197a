import { NO_NUMBER } from "../text/phone.ts";
import { formatPhone } from "shared/phone.ts";

const MASK = "•••";

/** A formatted phone number, left to right; the middle of a masked number stays hidden, and "" means erased. */
export function Phone({ e164 }: { e164: string }) {
  if (e164 === "") return <span className="text-ink-3">{NO_NUMBER}</span>;
  return <span className="num">{e164.includes(MASK) ? formatMasked(e164) : formatPhone(e164)}</span>;
}

/** "+97254•••0968" → "054-•••-0968", "+97254•••••••" → "054-•••-••••", "+4479•••0958" → "+4479 ••• 0958". */
function formatMasked(e164: string): string {
  const at = e164.indexOf(MASK);
  const [begin, end] = [e164.slice(0, at), e164.slice(at + MASK.length)];
  return begin.startsWith("+972") ? `0${begin.slice(4)}-${MASK}-${end}` : `${begin} ${MASK} ${end}`;
}
