import type { EdgeContext } from "../context.ts";
import { toDigits } from "../numbers/wire_phone.ts";
import { type Suppressions, suppressPhones, type SuppressResult } from "../queue/suppress.ts";

export interface Suppression extends Omit<Suppressions, "phones"> {
  /** "+972…". */
  phone: string;
}

/** Does what suppressPhones() does, for one number. */
export async function suppressPhone(
  ctx: EdgeContext,
  { phone, ...list }: Suppression,
): Promise<Omit<SuppressResult, "added"> & { added: boolean }> {
  const result = await suppressPhones(ctx, { ...list, phones: [toDigits(phone)] });
  return { ...result, added: result.added > 0 };
}
