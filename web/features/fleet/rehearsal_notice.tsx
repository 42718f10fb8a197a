import { ClipboardCheck } from "lucide-react";
import { DEVICE } from "../../text/admin_devices.ts";
import { PATHS } from "../../paths.ts";
import { SITES } from "../../text/admin_sites.ts";
import { CopyField } from "../../ui/copy_field.tsx";
import { Notice } from "../../ui/notice.tsx";

interface RehearsalNoticeProps {
  device: { serial: string; owesRehearsal: boolean };
}

/** Shows that a phone gets no marketing before a rehearsal, and the command that a person types at its site. */
export function RehearsalNotice({ device: { serial, owesRehearsal } }: RehearsalNoticeProps) {
  if (!owesRehearsal) return null;
  return (
    <div className="mb-4">
      <Notice
        tone="warn"
        icon={ClipboardCheck}
        lead={DEVICE.owesRehearsal}
        body={DEVICE.owesRehearsalMeaning}
        className="mb-3"
      />
      <a href={PATHS.desk} target="_blank" rel="noopener" className="link mb-3 inline-block text-sm">
        {SITES.deskPage}
      </a>
      <CopyField label={DEVICE.rehearsalCommand} text={`sudo shigur-agent rehearse --phone ${serial}`} />
    </div>
  );
}
