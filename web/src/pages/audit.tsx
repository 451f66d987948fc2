import { useEffect, useState } from 'preact/hooks';
import { question } from '../api';
import { address } from '../route';
import { Heading, Link, Panel } from '../parts/basics';
import { count, visible } from '../text';
import type { ViewProps } from '../app';

interface Audited {
  tensor: string; rows: number; width: number; indicator: string; indicatorReason: string;
  mean: number | null; sd: number | null; threshold: number | null; candidateCount: number;
  candidates: { token: string; id: number; value: number | null; z: number | null; reason: string }[];
  rules: { rule: string; title: string; count: number; first: { token: string; id: number; other: number | null; reason: string }[] }[];
  notes: string[];
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
const figure = (value: number | null) => (value === null ? '–' : value.toPrecision(4));

export function Audit({ model }: ViewProps) {
  const [audit, setAudit] = useState<Audited | null>(null);
  const [trouble, setTrouble] = useState('');
  useEffect(() => {
    const source = new EventSource(question('audit', { model }));
    source.addEventListener('audit', (event) => {
      setAudit(JSON.parse(event.data));
      source.close();
    });
    source.addEventListener('failed', (event) => {
      setTrouble(JSON.parse(event.data).message);
      source.close();
    });
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) setTrouble('the audit could not be made: the server is busy or gone');
      source.close();
    };
    return () => source.close();
  }, [model]);
  const link = (row: { token: string; id: number }) => (
    <>
      <Link href={address('/neighbours', { token: `#${row.id}` })}>{visible(row.token)}</Link> <small>#{row.id}</small>
    </>
  );
  return (
    <>
      <Heading
        title="Audit"
        seen="Rows that training never or hardly reached, broken and duplicate rows, and rows without a token."
        not="a candidate is where unused rows lie, no proof that a token is unused; only the model itself can show that."
      />
      {trouble && <div class="trouble" role="alert"><p>{sentence(trouble)}</p></div>}
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
                    <td class="name">{link(row)}</td>
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
                          <li key={row.id} class="name">{link(row)} <small>{row.reason}</small></li>
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
