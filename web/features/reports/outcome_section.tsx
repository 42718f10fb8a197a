import { DELIVERY_STATE_LABELS, DELIVERY_WORDS } from "shared/delivery_words.ts";
import type { Report } from "shared/report_api.ts";
import { formatNumber } from "../../text/format.ts";
import { percentOf } from "../../text/percent.ts";
import { Num } from "../../ui/num.tsx";
import { Strip } from "../../ui/strip.tsx";
import { ReportTable, Section } from "./section.tsx";
import { REPORT } from "./text.ts";

/** What came of the recipients, with the reason. */
export function OutcomeSection({ report }: { report: Report }) {
  const { counts, total, outcomes, removals } = report;
  // The reasons in the words of who reads: an administrator's report has a client's name.
  const { reasons } = DELIVERY_WORDS[report.client === null ? "client" : "admin"];
  return (
    <Section id="outcomes-h" heading={REPORT.outcomes}>
      <Strip counts={counts} running={false} height="1.125rem" />
      <div className="mt-4">
        <ReportTable
          caption={REPORT.outcomes}
          heads={[REPORT.state, REPORT.reason, REPORT.recipientsCount, REPORT.share]}
        >
          {outcomes.map(({ state, reason, count }, index) => (
            <tr key={index}>
              <th scope="row" className="text-start font-semibold">{DELIVERY_STATE_LABELS[state]}</th>
              <td className="min-w-40">{reason === null ? "–" : reasons[reason]}</td>
              <td className="font-bold">
                <Num>{formatNumber(count)}</Num>
              </td>
              <td>
                <Num>{percentOf(count, total)}</Num>
              </td>
            </tr>
          ))}
          <tr>
            <th scope="row" className="text-start font-bold" colSpan={2}>{REPORT.all}</th>
            <td className="font-bold">
              <Num>{formatNumber(total)}</Num>
            </td>
            <td />
          </tr>
        </ReportTable>
      </div>
      {removals.undated > 0 && <p className="mt-3 text-sm text-ink-2">{REPORT.undated(removals.undated)}</p>}
    </Section>
  );
}
