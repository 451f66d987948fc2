import { useAnswer, type Params, type Scores } from '../api';
import { change } from '../route';
import { Heading, Panel, TokenLink, Trouble } from '../parts/basics';
import { Bar } from '../parts/charts';
import { TokenField } from '../parts/tokenfield';
import { bytes, count, percent, score, sentence, share, visible } from '../text';
import type { ViewProps } from '../app';

export function Output({ route, model, info }: ViewProps) {
  const token = route.query.get('token') ?? (info.vocabulary ? 'cat' : '#0');
  const scores = useAnswer<Scores>('score', { model, token, k: 15 });
  const params = useAnswer<Params>('params', { model });
  const apart = params.data?.comparison;
  const table = info.input;
  const most = scores.data?.scores[0]?.probability ?? 1;
  return (
    <>
      <Heading
        title="Output"
        seen="What a vector h scores against every row of the output table: logits h·Eᵀ, and the softmax over all rows."
        not="h is a bare input row here, not what a model would compute from a text, so this is no prediction. It shows how the same table serves at both ends."
      />
      <div class="controls">
        <TokenField label="h is the input row of" value={token} model={model} main onWord={(word) => change({ token: word })} />
      </div>
      <Trouble of={scores} />
      <div class="columns wide">
        <Panel title={scores.data ? `Scores of ${scores.data.title}` : 'Scores'} busy={scores.busy} note={scores.data?.remark}>
          {scores.data && (
            <table class="bars">
              <thead>
                <tr>
                  <th scope="col" class="rank"><span class="sr">Place</span></th>
                  <th scope="col">Token</th>
                  <th scope="col" class="num">Logit</th>
                  <th scope="col" class="num">Probability</th>
                  <th scope="col" class="bar"><span class="sr">Bar</span></th>
                </tr>
              </thead>
              <tbody>
                {scores.data.scores.map((hit, i) => (
                  <tr key={hit.id}>
                    <td class="rank">{i + 1}</td>
                    <td class="name">
                      <TokenLink row={hit} />
                    </td>
                    <td class="num" title={String(hit.logit)}>{score(hit.logit)}</td>
                    <td class="num" title={String(hit.probability)}>{percent(hit.probability)}</td>
                    <td class="bar">
                      <Bar fill={hit.probability / most} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          {scores.data && (
            <p class="note">
              Scored by {scores.data.table.tensor}: {scores.data.tableReason}. Bars are relative to the first; together the {scores.data.scores.length} rows hold{' '}
              {percent(scores.data.scores.reduce((sum, hit) => sum + hit.probability, 0))} of the probability, the other {count(table.rows - scores.data.scores.length)} the rest.
              {scores.data.leftOut && ` ${sentence(scores.data.leftOut)}`}
            </p>
          )}
        </Panel>
        <Panel title="Tied or not">
          <dl class="facts-list">
            <div><dt>Tied</dt><dd>{info.tied === null ? 'the file does not say' : info.tied ? 'yes: one table, both ends' : 'no: the output has its own table'}</dd></div>
            <div><dt>Input table</dt><dd>{count(table.rows)} × {count(table.width)} = {count(table.parameters)} parameters, {bytes(table.bytes)}</dd></div>
            {info.output && <div><dt>Output table</dt><dd>{count(info.output.rows)} × {count(info.output.width)} = {count(info.output.parameters)} parameters</dd></div>}
            {params.data && info.saved === null && <div><dt>Tying would save</dt><dd>{count(params.data.secondTableParameters)} parameters, {bytes(params.data.secondTableBytes)} as stored</dd></div>}
            {apart && <div><dt>The two tables</dt><dd title={String(apart.meanCosine)}>{apart.relation}: {count(apart.identicalRows)} of {count(apart.rows)} rows equal; a token's two rows have cosine {score(apart.meanCosine)} on average</dd></div>}
            {apart && apart.farthest.length > 0 && apart.relation !== 'identical' && <div><dt>Differ most</dt><dd>{apart.farthest.slice(0, 6).map((hit) => `${visible(hit.token)} ${score(hit.score)}`).join(', ')}</dd></div>}
            {info.saved !== null && <div><dt>Tying saves</dt><dd><b>{count(info.saved)} parameters</b>, {bytes(info.saved * (table.bytes / table.parameters))} as stored</dd></div>}
            {info.shareOfModel !== null && info.modelParameters !== null && (
              <div><dt>Share of the model</dt><dd>{share(info.shareOfModel)} of {count(info.modelParameters)} parameters</dd></div>
            )}
          </dl>
          {info.shareOfModel !== null && (
            <div class="share" role="img" aria-label={`The table is ${share(info.shareOfModel)} of the model's parameters`}>
              <span style={{ width: `${100 * info.shareOfModel}%` }} />
            </div>
          )}
          <p class="note">{sentence(info.tiedEvidence)}</p>
          {info.notes.map((note) => <p class="note" key={note}>{sentence(note)}</p>)}
        </Panel>
      </div>
    </>
  );
}
