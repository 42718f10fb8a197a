import type { Advertiser } from "shared/marketing.ts";
import { ADVERTISER } from "./text.ts";

/** Returns the first problem that makes the server refuse a profile. */
export function advertiserProblem(
  { name, phone, email }: Advertiser,
): { field: keyof Advertiser; text: string } | undefined {
  if (name.trim().length < 2) return { field: "name", text: ADVERTISER.missingName };
  const [called, written] = [phone.trim(), email.trim()];
  if (called === "" && written === "") return { field: "phone", text: ADVERTISER.missingContact };
  if (called !== "" && !(/^\+?\*?[\d(][\d ()-]*$/.test(called) && called.replace(/\D/g, "").length >= 3)) {
    return { field: "phone", text: ADVERTISER.wrongPhone };
  }
  if (written !== "" && !/^[^\s@,]+@[^\s@,]+\.[^\s@,]+$/.test(written)) {
    return { field: "email", text: ADVERTISER.wrongEmail };
  }
  return undefined;
}
