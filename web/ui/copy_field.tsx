import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { TOKEN } from "../text/admin_sites.ts";

/** Shows a text left to right, with a button that copies it. */
export function CopyField({ label, text }: { label: string; text: string }) {
  const [outcome, setOutcome] = useState<"copied" | "failed">();
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome("copied");
    } catch {
      // Browsers block the clipboard on pages that are not secure.
      setOutcome("failed");
    }
  }
  return (
    <div>
      <div className="mb-1 flex items-center justify-between gap-3">
        <span className="text-sm font-semibold">{label}</span>
        <button
          type="button"
          className="btn btn-ghost btn-sm"
          aria-label={`${TOKEN.copy}: ${label}`}
          onClick={() => void copy()}
        >
          {outcome === "copied" ? <Check className="size-4" /> : <Copy className="size-4" />}
          {outcome === "copied" ? TOKEN.copied : TOKEN.copy}
        </button>
      </div>
      <pre
        dir="ltr"
        tabIndex={0}
        aria-label={label}
        className="overflow-x-auto rounded-field border border-base-300 bg-sunk p-3 text-start text-xs whitespace-pre-wrap wrap-anywhere select-all"
      >
        {text}
      </pre>
      <p className="tone-warn mt-1 text-xs text-tone" role="status">
        {outcome === "failed" && TOKEN.copyFailed}
      </p>
    </div>
  );
}
