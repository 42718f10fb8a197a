import { Download } from "lucide-react";
import { SECOND_FACTOR } from "./text/second_factor.ts";
import { CopyField } from "../../ui/copy_field.tsx";
import { saveAs } from "../../ui/save_as.ts";
import { StepLead } from "./factor_fields.tsx";

interface RecoveryCodeListProps {
  username: string;
  codes: string[];
  onClose: () => void;
}

/** The last step of a dialog: shows the recovery codes this one time, to copy or to save as a file. */
export function RecoveryCodeList({ username, codes, onClose }: RecoveryCodeListProps) {
  return (
    <>
      <StepLead>{SECOND_FACTOR.codesHow}</StepLead>
      <CopyField label={SECOND_FACTOR.codes} text={codes.join("\n")} />
      <div className="mt-4 flex flex-wrap gap-2">
        <button
          type="button"
          className="btn btn-secondary"
          onClick={() => saveAs(SECOND_FACTOR.fileName, new Blob([SECOND_FACTOR.fileText(username, codes)]))}
        >
          <Download className="size-4" />
          {SECOND_FACTOR.download}
        </button>
        <button type="button" className="btn btn-primary" onClick={onClose}>{SECOND_FACTOR.done}</button>
      </div>
    </>
  );
}
