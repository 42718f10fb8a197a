import { CircleAlert } from "lucide-react";
import { type CampaignKind, DECLARED_KINDS, type DeclaredKind } from "shared/campaign.ts";
import { KIND } from "./text/kind.ts";

interface KindFieldProps {
  /** "" and undeclared mean that no kind was chosen; there is no preselection. */
  kind: CampaignKind | "";
  onChange: (kind: DeclaredKind) => void;
  isMissing: boolean;
}

/** Asks whether the campaign is marketing; never assumes it. */
export function KindField({ kind, onChange, isMissing }: KindFieldProps) {
  return (
    <fieldset aria-describedby={isMissing ? "c-kind-e" : undefined}>
      <legend className="mb-1 text-sm font-semibold">{KIND.legend}</legend>
      <div className="grid grid-cols-2 gap-2">
        {DECLARED_KINDS.map((declared, index) => (
          <label key={declared} className="choice">
            <input
              id={index === 0 ? "c-kind" : undefined}
              type="radio"
              name="kind"
              className="radio radio-sm radio-primary"
              checked={kind === declared}
              onChange={() => onChange(declared)}
            />
            <span>{KIND[declared]}</span>
          </label>
        ))}
      </div>
      {isMissing && (
        <p id="c-kind-e" className="tone-bad mt-1 flex items-center gap-1.5 text-sm text-tone" role="alert">
          <CircleAlert className="size-4" />
          {KIND.missing}
        </p>
      )}
      <p className="mt-1 text-xs text-ink-3">{KIND.hint}</p>
    </fieldset>
  );
}
