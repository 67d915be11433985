import {
  CallEffect,
  countedWords,
  type Explanation,
  type HeldCall,
  isFull,
  RiskBadge,
  rulePlace,
  SafeTextView,
  verifyView,
} from '@countersign/react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { service } from '../api/service.ts'
import { useDesk } from '../approvals/context.ts'
import { CallFields } from '../explain/call-fields.tsx'
import { readTypedCall, type TypedCall } from '../explain/typed-call.ts'

const EXAMPLE: TypedCall = {
  form: 'command',
  command: 'git status && rm -rf build',
  tool: 'send_email',
  fields: [
    { name: 'to', value: 'team@example.com' },
    { name: 'text', value: 'Release 1.4 is out.' },
  ],
  json: `{
  "tool": "execute_command",
  "args": { "command": "git status && rm -rf build" }
}`,
}

/** Explains the verdict on a typed or pasted call. Nothing is held or run. */
export function ExplainPage(): ReactNode {
  const [typed, setTyped] = useState(EXAMPLE)
  const [wrong, setWrong] = useState<string | null>(null)
  const { held } = useDesk()
  const [folder, setFolder] = useState<string | null>(null)
  const shownFolder = folder ?? folderOf(held[0])
  const explain = useMutation({ mutationFn: (call: unknown) => service.explain(call, shownFolder) })
  return (
    <div className="page">
      <h1 className="page-title">Explain</h1>
      <p className="cs-dim">
        Test a call against the current policy and see how each rule applies. Nothing is held or run.
      </p>
      <form
        className="explain"
        onSubmit={(event) => {
          event.preventDefault()
          const read = readTypedCall(typed)
          if (typeof read === 'string') explain.reset()
          else explain.mutate(read.call)
          setWrong(typeof read === 'string' ? read : null)
        }}
      >
        <CallFields typed={typed} change={setTyped} />
        <label>
          <span>Project folder (its policy applies too)</span>
          <input
            className="cs-input cs-mono"
            spellCheck={false}
            placeholder="/the/project"
            value={shownFolder}
            onChange={(event) => setFolder(event.target.value)}
          />
        </label>
        <div className="cs-row">
          <span className="cs-bad" role="alert">
            {wrong ?? explain.error?.message ?? ''}
          </span>
          <button type="submit" className="cs-button cs-primary">
            Explain
          </button>
        </div>
      </form>
      {explain.data !== undefined && (
        <Trace explanation={explain.data.explanation} request={JSON.stringify(explain.variables)} />
      )}
    </div>
  )
}

/** The working folder of the first held call, as a default. */
function folderOf(view: HeldCall | undefined): string {
  const held = view === undefined || !isFull(view) ? undefined : verifyView(view)
  return held?.kind === 'opened' ? held.opened.body.call.cwd : ''
}

function Trace({
  explanation,
  request,
}: {
  readonly explanation: Explanation
  /** The pasted call. */
  readonly request: string
}): ReactNode {
  const { verdict, risk, riskReasons, units, moreUnits } = explanation
  return (
    <section className="trace" aria-label="Verdict">
      <p className="trace-verdict">
        <b>
          <SafeTextView text={verdict.supervision} />
        </b>{' '}
        <RiskBadge level={risk} /> by <SafeTextView text={verdict.rule.id} />{' '}
        <code className="cs-dim">
          <SafeTextView text={rulePlace(verdict.rule)} />
        </code>
        {verdict.condition != null && (
          <>
            {' for '}
            <code>
              <SafeTextView text={verdict.condition} />
            </code>
          </>
        )}
      </p>
      {explanation.supervision !== verdict.supervision && (
        <p>
          The checks raise it to <b>{explanation.supervision}</b>.
        </p>
      )}
      <ul className="cs-reasons">
        {[...verdict.reasons, ...riskReasons].map((reason, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two reasons may say the same
          <li key={at}>
            <CallEffect text={reason} request={request} />
          </li>
        ))}
      </ul>
      {units.map((unit, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same command may stand twice
        <section key={at} className="unit">
          <h2 className="unit-head">
            <code>
              <SafeTextView text={unit.what} />
            </code>{' '}
            <RiskBadge level={unit.risk} small /> <span className="cs-tag">{unit.supervision}</span>
          </h2>
          <p className="cs-dim">
            <CallEffect text={unit.reason} request={request} />
          </p>
          <ul className="rules">
            {unit.rules
              .filter((rule) => rule.outcome !== 'no-match')
              .map((rule) => (
                <li key={`${rule.rule.file}:${rule.rule.line}:${rule.rule.id}`}>
                  <span className={`outcome outcome-${rule.outcome}`}>{rule.outcome}</span>
                  <span>
                    <b>
                      <SafeTextView text={rule.rule.id} />
                    </b>{' '}
                    sets {rule.says}{' '}
                    <span className="cs-dim">
                      <SafeTextView text={rule.why} />
                    </span>{' '}
                    <code className="cs-dim">
                      <SafeTextView text={rulePlace(rule.rule)} />
                    </code>
                  </span>
                </li>
              ))}
          </ul>
          <NoMatch count={unit.rules.filter((rule) => rule.outcome === 'no-match').length} />
        </section>
      ))}
      {moreUnits > 0 && (
        <p className="cs-dim">and {moreUnits.toLocaleString('en')} more parts, none of them stricter</p>
      )}
    </section>
  )
}

function NoMatch({ count }: { readonly count: number }): ReactNode {
  return count === 0 ? null : <p className="cs-dim">{countedWords(count, 'other rule')} did not match</p>
}
