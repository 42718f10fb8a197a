import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import type { Consent } from "shared/consent.ts";
import type { UploadResult } from "shared/http_api.ts";
import { FailedBox } from "../../ui/failed_box.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PreviewCounts } from "./preview_counts.tsx";
import { StagedForm } from "./staged_form.tsx";
import { fetchLeftOut, previewQuery, takeIn } from "./staged_files.ts";
import { PREVIEW } from "./text/preview.ts";

interface ImportPreviewProps {
  campaignId: number;
  file: File;
  /** Whether consent is declared for the numbers, as the fields above stand now. */
  declares: boolean;
  /** Returns the declaration; null when an entry of it is missing, which the fields then say. */
  declare: () => { consent: Consent | undefined } | null;
  onTaken: (result: UploadResult) => void;
  onClose: () => void;
}

/** Shows what a file holds and what would become of its rows, and takes them in when the person says so. */
export function ImportPreview({ campaignId, declares, declare, ...form }: ImportPreviewProps) {
  return (
    <StagedForm
      {...form}
      heading={PREVIEW.heading}
      takeText={PREVIEW.take}
      takingText={PREVIEW.taking}
      renderCounts={(file, phone) => (
        <Counts campaignId={campaignId} file={file.id} phone={phone} declares={declares} />
      )}
      take={(of) => {
        const declared = declare();
        return declared && takeIn(campaignId, { ...of, ...declared });
      }}
    />
  );
}

interface CountsProps {
  campaignId: number;
  file: number;
  phone: number | null;
  declares: boolean;
}

function Counts({ campaignId, ...asked }: CountsProps) {
  const counted = useQuery(previewQuery(campaignId, asked));
  const preview = counted.data;
  return (
    <>
      <div aria-live="polite" aria-busy={counted.isFetching}>
        {preview && (
          <PreviewCounts
            preview={preview}
            isOld={counted.isPlaceholderData}
            onDownload={() => fetchLeftOut(campaignId, asked)}
          />
        )}
        {!preview && counted.isFetching && <p className="text-sm text-ink-2">{PREVIEW.counting}</p>}
      </div>
      {counted.isError && (
        <FailedBox
          title={PREVIEW.countFailed}
          error={counted.error}
          onRetry={() => counted.refetch()}
        />
      )}
      {preview !== undefined && preview.taken > preview.room && (
        <Notice
          tone="warn"
          icon={TriangleAlert}
          lead={PREVIEW.noRoomLead}
          body={PREVIEW.noRoom(preview.room)}
        />
      )}
    </>
  );
}
