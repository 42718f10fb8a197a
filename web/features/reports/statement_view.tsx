import { ledgerWords } from "shared/ledger_words.ts";
import type { Statement } from "shared/statement_api.ts";
import { formatChange, formatDate, formatNumber } from "../../text/format.ts";
import { Num } from "../../ui/num.tsx";
import { ReportTable, Section } from "./section.tsx";
import { STATEMENT } from "./statement_text.ts";

/** The month of a client: balances, sums by kind, campaigns, loads and corrections. */
export function StatementView({ statement }: { statement: Statement }) {
  const { opening, closing, isOver, campaigns, moreCampaigns, loads, moreLoads } = statement;
  const cost = campaigns.reduce((sum, { net }) => sum + net, moreCampaigns?.net ?? 0);
  const loaded = loads.reduce((sum, { units }) => sum + units, moreLoads?.units ?? 0);
  const figures = [
    { label: isOver ? STATEMENT.closing : STATEMENT.closingNow, value: formatNumber(closing) },
    { label: STATEMENT.opening, value: formatNumber(opening) },
    { label: STATEMENT.loaded, value: formatChange(loaded) },
    { label: STATEMENT.used, value: formatNumber(cost) },
  ];
  return (
    <>
      <section className="sheet figs paper-sheet" aria-label={STATEMENT.title}>
        {figures.map(({ label, value }, index) => (
          <article key={label} className="fig">
            <h2 className="eyebrow">{label}</h2>
            <p
              className={`mt-1 font-extrabold tracking-tight ${
                index === 0 ? "text-4xl sm:text-5xl" : "text-3xl sm:text-4xl"
              }`}
            >
              <Num>{value}</Num>
            </p>
          </article>
        ))}
      </section>
      <Kinds statement={statement} />
      <Campaigns statement={statement} cost={cost} />
      <Loads statement={statement} />
    </>
  );
}

function Kinds({ statement: { kinds, opening, closing } }: { statement: Statement }) {
  if (kinds.length === 0) return null;
  return (
    <Section id="kinds-h" heading={STATEMENT.kinds}>
      <ReportTable caption={STATEMENT.kinds} heads={[STATEMENT.what, STATEMENT.entries, STATEMENT.units]}>
        {kinds.map(({ kind, entries, units }) => (
          <tr key={kind}>
            <th scope="row" className="text-start font-normal">{ledgerWords({ kind, delta: units })}</th>
            <td>
              <Num>{formatNumber(entries)}</Num>
            </td>
            <td className="font-bold">
              <Num>{formatChange(units)}</Num>
            </td>
          </tr>
        ))}
        <tr>
          <th scope="row" className="text-start font-bold" colSpan={2}>{STATEMENT.total}</th>
          <td className="font-bold">
            <Num>{formatChange(closing - opening)}</Num>
          </td>
        </tr>
      </ReportTable>
    </Section>
  );
}

function Campaigns(
  { statement: { campaigns, moreCampaigns }, cost }: { statement: Statement; cost: number },
) {
  const heads = [
    STATEMENT.campaign,
    STATEMENT.sentAt,
    STATEMENT.reserved,
    STATEMENT.returned,
    STATEMENT.charged,
    STATEMENT.net,
  ];
  return (
    <Section id="campaigns-h" heading={STATEMENT.campaigns}>
      {campaigns.length === 0
        ? <p className="text-sm text-ink-2">{STATEMENT.noCampaigns}</p>
        : (
          <ReportTable caption={STATEMENT.campaigns} heads={heads}>
            {campaigns.map(({ id, name, startedAt, ...units }) => (
              <tr key={id}>
                <th scope="row" className="max-w-56 truncate text-start font-normal print:whitespace-normal">
                  <bdi>{name}</bdi>
                </th>
                <td>{startedAt === null ? "–" : <Num>{formatDate(startedAt)}</Num>}</td>
                <Units {...units} />
              </tr>
            ))}
            {moreCampaigns && (
              <tr>
                <th scope="row" className="text-start font-normal text-ink-2" colSpan={2}>
                  {STATEMENT.more(moreCampaigns.campaigns)}
                </th>
                <Units {...moreCampaigns} />
              </tr>
            )}
            <tr>
              <th scope="row" className="text-start font-bold" colSpan={5}>{STATEMENT.total}</th>
              <td className="font-bold">
                <Num>{formatNumber(cost)}</Num>
              </td>
            </tr>
          </ReportTable>
        )}
    </Section>
  );
}

function Units(
  { reserved, returned, charged, net }: Omit<Statement["campaigns"][number], "id" | "name" | "startedAt">,
) {
  return (
    <>
      {[reserved, returned, charged].map((units, column) => (
        <td key={column}>
          <Num>{formatNumber(units)}</Num>
        </td>
      ))}
      <td className="font-bold">
        <Num>{formatNumber(net)}</Num>
      </td>
    </>
  );
}

function Loads({ statement: { loads, moreLoads } }: { statement: Statement }) {
  return (
    <Section id="loads-h" heading={STATEMENT.loads}>
      {loads.length === 0
        ? <p className="text-sm text-ink-2">{STATEMENT.noLoads}</p>
        : (
          <ReportTable caption={STATEMENT.loads} heads={[STATEMENT.when, STATEMENT.what, STATEMENT.units]}>
            {loads.map(({ at, kind, units, reason }, index) => (
              <tr key={index}>
                <td>
                  <Num>{formatDate(at)}</Num>
                </td>
                <th scope="row" className="text-start font-normal wrap-anywhere">
                  {ledgerWords({ kind, delta: units })}
                  {reason !== null && (
                    <span className="block text-sm text-ink-2">{STATEMENT.reason(reason)}</span>
                  )}
                </th>
                <td className="font-bold">
                  <Num>{formatChange(units)}</Num>
                </td>
              </tr>
            ))}
            {moreLoads && (
              <tr>
                <th scope="row" className="text-start font-normal text-ink-2" colSpan={2}>
                  {STATEMENT.moreLoads(moreLoads.entries)}
                </th>
                <td className="font-bold">
                  <Num>{formatChange(moreLoads.units)}</Num>
                </td>
              </tr>
            )}
          </ReportTable>
        )}
    </Section>
  );
}
