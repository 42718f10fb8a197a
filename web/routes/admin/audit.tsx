import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { AuditFilter } from "../../features/audit/audit_filter.tsx";
import { AuditList } from "../../features/audit/audit_list.tsx";
import { type AuditChoice, daysProblem, searchOf } from "../../features/audit/get_audit.ts";
import { usersQuery } from "../../features/users/get_users.ts";
import { AUDIT } from "../../features/audit/text.ts";
import { ADMIN_SHELL } from "../../text/admin_shell.ts";
import { DownloadButton } from "../../ui/download_button.tsx";
import { PageHead } from "../../ui/page_head.tsx";
import { usePageTitle } from "../../ui/page_title.ts";
import { useNow } from "../../ui/use_now.ts";

const MINUTE_MS = 60_000;

/** Shows audited actions, and whether the log was changed afterwards. */
export function Screen() {
  usePageTitle(ADMIN_SHELL.title(AUDIT.heading));
  const [choice, setChoice] = useState<AuditChoice>({ group: "all", actor: "", from: "", to: "" });
  const problem = daysProblem(choice);
  const users = useQuery(usersQuery);
  return (
    <>
      <PageHead
        heading={AUDIT.heading}
        acts={
          <DownloadButton
            path={`/api/admin/audit.csv?${searchOf(choice)}`}
            fileName="audit.csv"
            className="btn-ghost border-base-300"
            problem={problem && AUDIT.days[problem]}
          >
            {AUDIT.csv}
          </DownloadButton>
        }
      >
        {AUDIT.subtitle}
      </PageHead>
      <AuditFilter choice={choice} users={users.data ?? []} onChoose={setChoice} />
      <AuditList choice={choice} now={useNow(MINUTE_MS)} />
    </>
  );
}
