import { useEvent } from '../api';
import { Alert, Heading, Panel, TokenLink } from '../parts/basics';
import { count, sentence } from '../text';
import type { ViewProps } from '../app';

interface Audited {
  tensor: string; rows: number; width: number; indicator: string; indicatorReason: string;
  mean: number | null; sd: number | null; threshold: number | null; candidateCount: number;
  candidates: { token: string; id: number; value: number | null; z: number | null; reason: string }[];
  rules: { rule: string; title: string; count: number; first: { token: string; id: number; other: number | null; reason: string }[] }[];
  notes: string[];
}

const figure = (value: number | null) => (value === null ? '–' : value.toPrecision(4));

export function Audit({ model }: ViewProps) {
  const { data: audit, trouble } = useEvent<Audited>('audit', { model });
  return (
    <>
      <Heading
        title="Audit"
        seen="Rows that training never or hardly reached, broken and duplicate rows, and rows without a token."
        not="a candidate is where unused rows lie, no proof that a token is unused; only the model itself can show that."
      />
      <Alert message={trouble} />
      {!audit && !trouble && <p class="facts" role="status">Auditing every row…</p>}
      {audit && (
        <div class="columns wide">
          <Panel title={`Candidates by ${audit.indicator}`} note={sentence(audit.indicatorReason)}>
            <p class="note">Mean {figure(audit.mean)}, standard deviation {figure(audit.sd)}; {count(audit.candidateCount)} tokens lie at or below {figure(audit.threshold)}, the lowest 2 % of any table. The first {Math.min(25, audit.candidates.length)}:</p>
            <table class="bars">
              <thead><tr><th scope="col">Token</th><th scope="col" class="num">Value</th><th scope="col" class="num">z</th></tr></thead>
              <tbody>
                {audit.candidates.slice(0, 25).map((row) => (
                  <tr key={row.id}>
                    <td class="name"><TokenLink row={row} /></td>
                    <td class="num" title={String(row.value)}>{figure(row.value)}</td>
                    <td class="num">{row.z === null ? '–' : row.z.toFixed(1)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Panel>
          <Panel title="Rules" note={`${audit.tensor}: ${count(audit.rows)} rows × ${count(audit.width)}.`}>
            <ul class="rules">
              {audit.rules.map((rule) => (
                <li key={rule.rule}>
                  {rule.count ? (
                    <details>
                      <summary><b>{count(rule.count)}</b> {rule.title}</summary>
                      <ul>
                        {rule.first.map((row) => (
                          <li key={row.id} class="name"><TokenLink row={row} /> <small>{row.reason}</small></li>
                        ))}
                        {rule.count > rule.first.length && <li><small>and {count(rule.count - rule.first.length)} more: rowan audit lists them</small></li>}
                      </ul>
                    </details>
                  ) : (
                    <span class="none"><b>0</b> {rule.title}</span>
                  )}
                </li>
              ))}
            </ul>
            {audit.notes.map((note) => <p class="note" key={note}>{sentence(note)}</p>)}
          </Panel>
        </div>
      )}
    </>
  );
}
