import { MAX_CONTACT_FILE_BYTES } from "shared/campaign.ts";
import { CONTACTS } from "../../text/contacts.ts";
import { formatBytes } from "../../text/format.ts";

/** Why a file can't be a contact list, or undefined when it can; what is inside is the server's to judge. */
export function contactFileProblem(file: File): string | undefined {
  if (!file.name.toLowerCase().endsWith(".csv")) return CONTACTS.notCsv;
  if (file.size > MAX_CONTACT_FILE_BYTES) return CONTACTS.tooLarge(formatBytes(file.size));
  return undefined;
}
