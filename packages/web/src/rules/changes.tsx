import {
  answerTo,
  formatAgo,
  RuleProposal,
  type RulesProposal,
  SafeTextView,
  useServerNow,
  useTyped,
} from '@countersign/react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type RuleChange, service } from '../api/service.ts'
import { useDesk } from '../approvals/context.ts'
import { applyRule } from './apply-rule.ts'

const SHOWN = 5

/** The last signed changes of the policy, each undone by one press; by a code and a reason where that loosens manual calls. */
export function PolicyChanges(): ReactNode {
  const rules = useQuery({ queryKey: ['rules'], queryFn: service.rules })
  const { blocked } = useDesk()
  const changes = rules.data?.changes ?? []
  const undone = new Set(changes.map(({ undoes }) => undoes))
  const shown = changes.filter(({ act }) => act === 'set' || act === 'add' || act === 'undo').toReversed()
  if (rules.error !== null) return <p className="cs-bad">{rules.error.message}</p>
  if (shown.length === 0) return null
  return (
    <section aria-label="Changes of the policy" className="rule-changes">
      <h2 className="cs-heading">Changes of the policy</h2>
      <ul>
        {shown.slice(0, SHOWN).map((change) => (
          <li key={change.seq}>
            <Change change={change} isUndone={undone.has(change.seq)} blocked={blocked} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Change({
  change,
  isUndone,
  blocked,
}: {
  readonly change: RuleChange
  readonly isUndone: boolean
  readonly blocked: string | null
}): ReactNode {
  const now = useServerNow(30_000)
  const queries = useQueryClient()
  const [asked, setAsked] = useState<RulesProposal>()
  const [typed, setTyped] = useTyped(asked)
  const undo = useMutation({
    async mutationFn() {
      const proposal = asked ?? (await service.proposeRules({ kind: 'undo', seq: change.seq }))
      const answer = answerTo(proposal, typed)
      if (answer === null) setAsked(proposal)
      else await applyRule(answer)
    },
    onSettled: () => queries.invalidateQueries(),
  })
  const canUndo = change.act !== 'undo' && !isUndone
  return (
    <>
      <span>
        {change.seq}. <SafeTextView text={change.what} />
      </span>{' '}
      <span className="cs-dim">
        <SafeTextView text={change.by ?? 'a removed key'} />, {formatAgo(now - change.at)}
        {isUndone ? ', undone' : ''}
      </span>{' '}
      {canUndo && (
        <button
          type="button"
          className="cs-quiet"
          disabled={blocked !== null || undo.isPending || (asked !== undefined && answerTo(asked, typed) === null)}
          onClick={() => undo.mutate()}
        >
          Undo
        </button>
      )}
      {asked !== undefined && <RuleProposal proposal={asked} typed={typed} onType={setTyped} />}
      {undo.error !== null && (
        <p className="cs-bad" role="alert">
          <SafeTextView text={undo.error.message} />
        </p>
      )}
    </>
  )
}
