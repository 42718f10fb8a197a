import { CertificateList } from "../../features/privacy/certificate_list.tsx";
import { EraseForm } from "../../features/privacy/erase_form.tsx";
import { PRIVACY } from "../../features/privacy/text.ts";
import { ADMIN_SHELL } from "../../text/admin_shell.ts";
import { PageHead } from "../../ui/page_head.tsx";
import { usePageTitle } from "../../ui/page_title.ts";
import { useNow } from "../../ui/use_now.ts";

const MINUTE_MS = 60_000;

/** Erases one person's number everywhere, and lists the certificates. */
export function Screen() {
  usePageTitle(ADMIN_SHELL.title(PRIVACY.heading));
  return (
    <>
      <PageHead heading={PRIVACY.heading}>{PRIVACY.subtitle}</PageHead>
      <EraseForm />
      <h2 className="mb-3 text-lg font-bold">{PRIVACY.list}</h2>
      <CertificateList now={useNow(MINUTE_MS)} />
    </>
  );
}
