import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useId, useState } from "react";
import { FILES } from "./text.ts";
import { errorText } from "../../text/error_text.ts";
import { ACTS } from "../../text/acts.ts";
import { SearchField } from "../../ui/search_field.tsx";
import { editableCampaignsQuery } from "./get_editable_campaigns.ts";

export interface TargetDraft {
  kind: "campaign" | "suppressions";
  /** Empty until the person chooses one. */
  campaignId: string;
  /** True when the chosen campaign is marketing. */
  isMarketing: boolean;
}

interface TargetFieldsProps {
  target: TargetDraft;
  onChange: (target: TargetDraft) => void;
}

/** Chooses a file's target: a client's draft, or the suppression list. */
export function TargetFields({ target, onChange }: TargetFieldsProps) {
  return (
    <>
      <fieldset className="mt-4">
        <legend className="mb-2 text-sm font-semibold">{FILES.target}</legend>
        <div className="flex flex-col gap-2">
          {(["campaign", "suppressions"] as const).map((kind) => (
            <label key={kind} className="choice">
              <input
                type="radio"
                name="file-target"
                className="radio radio-sm radio-primary"
                checked={target.kind === kind}
                onChange={() => onChange({ ...target, kind })}
              />
              <span>{kind === "campaign" ? FILES.toCampaign : FILES.toSuppressions}</span>
            </label>
          ))}
        </div>
      </fieldset>
      {target.kind === "campaign" && (
        <CampaignField
          chosen={target.campaignId}
          onChoose={(campaignId, isMarketing) => onChange({ ...target, campaignId, isMarketing })}
        />
      )}
    </>
  );
}

interface CampaignFieldProps {
  chosen: string;
  onChoose: (campaignId: string, isMarketing: boolean) => void;
}

function CampaignField({ chosen, onChoose }: CampaignFieldProps) {
  const [search, setSearch] = useState("");
  const q = useDeferredValue(search).trim();
  const campaigns = useQuery(editableCampaignsQuery(q));
  const items = campaigns.data?.items ?? [];
  const selectId = useId();
  return (
    <div className="mt-4">
      <label htmlFor={selectId} className="mb-1 block text-sm font-semibold">{FILES.campaign}</label>
      <SearchField label={FILES.campaignSearch} className="mb-2 w-full" value={search} onChange={setSearch} />
      <select
        id={selectId}
        className="select w-full"
        value={items.some(({ id }) => String(id) === chosen) ? chosen : ""}
        onChange={({ currentTarget: { value } }) =>
          onChoose(value, items.find(({ id }) => String(id) === value)?.kind === "marketing")}
      >
        <option value="">{FILES.chooseCampaign}</option>
        {items.map(({ id, name, client }) => (
          <option key={id} value={String(id)}>{FILES.campaignOption(client.username, name)}</option>
        ))}
      </select>
      <p className="mt-1 text-xs text-ink-2" role="status">{statusText()}</p>
      {campaigns.isError && (
        <button
          type="button"
          className="btn btn-secondary btn-xs mt-1"
          onClick={() => void campaigns.refetch()}
        >
          {ACTS.retry}
        </button>
      )}
    </div>
  );

  function statusText(): string {
    if (campaigns.isPending) return FILES.campaignsLoading;
    if (campaigns.isError) return errorText(campaigns.error, FILES.campaignsFailed);
    if (items.length > 0) return "";
    return q ? FILES.noCampaignMatch(q) : FILES.noCampaigns;
  }
}
