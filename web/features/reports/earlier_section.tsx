import type { Report } from "shared/report_api.ts";
import { formatDate, formatNumber, formatSpan } from "../../text/format.ts";
import { percentOf } from "../../text/percent.ts";
import { Chart } from "../../ui/chart.tsx";
import { Num } from "../../ui/num.tsx";
import { ReportTable, Section } from "./section.tsx";
import { REPORT } from "./text.ts";

type Compared = Report["earlier"][number];

/** This campaign beside the client's earlier ones. */
export function EarlierSection({ report, isPaper }: { report: Report; isPaper: boolean }) {
  const { earlier, startedAt } = report;
  if (startedAt === null) return null;
  const all: Compared[] = [{ ...report, startedAt, removals: report.removals.total }, ...earlier];
  const inTime = [...all].reverse();
  return (
    <Section id="earlier-h" heading={REPORT.earlier}>
      {earlier.length === 0 ? <p className="text-sm text-ink-2">{REPORT.noEarlier}</p> : (
        <>
          {!isPaper && (
            <Chart
              data={{
                shape: "bars",
                showsAllLabels: true,
                series: [{ name: REPORT.sentShare, values: inTime.map(sentPercent) }],
                labels: inTime.map(({ startedAt }) => formatDate(startedAt).split(".").slice(0, 2).join(".")),
                spans: inTime.map(({ name, startedAt, id }, index) =>
                  `${id === report.id ? REPORT.thisOne : name} · ${formatDate(startedAt)}${
                    // Two campaigns of a day may have one name.
                    inTime.slice(0, index).some((other) => other.name === name) ? ` · ${index + 1}` : ""}`
                ),
                unit: REPORT.percent,
              }}
              note={REPORT.earlierNote}
              sentence={REPORT.earlierSentence(all.length)}
              caption={REPORT.earlierNote}
              timeHead={REPORT.campaign}
            />
          )}
          <div className="mt-4">
            <ReportTable
              caption={REPORT.earlierTable}
              heads={[
                REPORT.campaign,
                REPORT.date,
                REPORT.recipientsCount,
                REPORT.sentShare,
                REPORT.failedShare,
                REPORT.unknownShare,
                REPORT.removalShare,
                REPORT.took,
              ]}
            >
              {all.map((one) => <Row key={one.id} one={one} isThis={one.id === report.id} />)}
            </ReportTable>
          </div>
        </>
      )}
    </Section>
  );
}

function Row({ one, isThis }: { one: Compared; isThis: boolean }) {
  const { name, startedAt, completedAt, total, counts, removals } = one;
  return (
    <tr className={isThis ? "bg-sunk" : ""}>
      <th scope="row" className="max-w-48 truncate print:whitespace-normal text-start">
        {isThis ? REPORT.thisOne : <bdi className="font-normal">{name}</bdi>}
      </th>
      <td>
        <Num>{formatDate(startedAt)}</Num>
      </td>
      <td>
        <Num>{formatNumber(total)}</Num>
      </td>
      {[
        percentOf(counts.sent, total),
        percentOf(counts.failed, total),
        percentOf(counts.unknown, total),
        percentOf(removals, counts.sent),
      ].map((share, column) => (
        <td key={column}>
          <Num>{share}</Num>
        </td>
      ))}
      <td className="whitespace-nowrap">
        {completedAt === null ? "–" : formatSpan(Math.max(60_000, completedAt - startedAt))}
      </td>
    </tr>
  );
}

/** A percentage with one decimal at most. */
function sentPercent({ counts, total }: Compared): number {
  return total === 0 ? 0 : Math.round((1000 * counts.sent) / total) / 10;
}
