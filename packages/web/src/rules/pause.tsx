import {
  answerTo,
  BarButton,
  ignoreKeyRepeat,
  RuleProposal,
  type RulesEdit,
  type RulesProposal,
  SafeTextView,
  StrayPressNote,
  useArmed,
  useTyped,
} from '@countersign/react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { service } from '../api/service.ts'
import { browserKey, useDesk } from '../approvals/context.ts'
import { applyRule } from './apply-rule.ts'

function useRules() {
  return useQuery({ queryKey: ['rules'], queryFn: service.rules })
}

/** Who pauses, as held calls will show it. The signature in the journal is what counts. */
async function pauseEdit(): Promise<RulesEdit> {
  const [key, me] = [await browserKey().catch(() => null), await service.me()]
  const own = me.approvers.find(({ id }) => id === key?.keyId)
  return { kind: 'pause', reason: null, by: own?.name ?? 'the inbox' }
}

/** Holds every call of every agent, at one press: it only tightens. Hidden while everything is paused. */
export function PauseButton(): ReactNode {
  const queries = useQueryClient()
  const { blocked } = useDesk()
  const rules = useRules()
  const pause = useMutation({
    mutationFn: async () => applyRule({ proposal: await service.proposeRules(await pauseEdit()) }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['rules'] }),
  })
  if (rules.data === undefined || rules.data.paused !== null) return null
  return (
    <span className="pause">
      <button
        type="button"
        className="cs-quiet"
        title="Hold every call of every agent, until you resume"
        disabled={blocked !== null || pause.isPending}
        onClick={() => pause.mutate()}
      >
        {pause.isPending ? 'Pausing…' : 'Pause all'}
      </button>
      {pause.error !== null && (
        <span className="cs-bad" role="alert">
          Not paused: <SafeTextView text={pause.error.message} />
        </span>
      )}
    </span>
  )
}

/** Shown on every page while everything is paused. Resuming shows its effect first, then signs. */
export function PauseBanner(): ReactNode {
  const rules = useRules()
  // Not a query: a refetch would replace what the person is about to sign.
  const resume = useMutation({ mutationFn: () => service.proposeRules({ kind: 'resume' }) })
  const paused = rules.data?.paused ?? null
  if (paused === null) return null
  return (
    <section className="banner pause-banner" aria-label="Paused">
      <p role="status">
        <b>
          <SafeTextView text={`${paused.charAt(0).toUpperCase()}${paused.slice(1)}.`} />
        </b>{' '}
        Every call of every agent is held, and grants are suspended.
      </p>
      {resume.data === undefined ? (
        <button type="button" className="cs-button" disabled={resume.isPending} onClick={() => resume.mutate()}>
          Resume…
        </button>
      ) : (
        <Resume proposal={resume.data} close={resume.reset} />
      )}
      {resume.error !== null && <Problem message={resume.error.message} />}
    </section>
  )
}

function Resume({ proposal, close }: { readonly proposal: RulesProposal; readonly close: () => void }): ReactNode {
  const queries = useQueryClient()
  const { blocked } = useDesk()
  const [typed, setTyped] = useTyped(proposal)
  const answer = answerTo(proposal, typed)
  const armed = useArmed(proposal.change.nonce)
  const apply = useMutation({
    mutationFn: applyRule,
    onSuccess: close,
    onSettled: () => queries.invalidateQueries({ queryKey: ['rules'] }),
  })
  const isReady = armed && answer !== null && blocked === null && !apply.isPending
  const problem = blocked ?? apply.error?.message ?? null
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles key repeat anywhere in the form
    <div className="resume" data-armed={armed} onKeyDown={ignoreKeyRepeat}>
      <RuleProposal proposal={proposal} typed={typed} onType={setTyped} />
      {problem !== null && <Problem message={problem} />}
      <StrayPressNote />
      <div className="cs-actions">
        <BarButton kind="plain" onPress={close}>
          Stay paused
        </BarButton>
        <BarButton
          kind="approve"
          level="high"
          disabled={!isReady}
          onPress={() => {
            if (isReady) apply.mutate(answer)
          }}
        >
          {apply.isPending ? 'Signing…' : 'Sign and resume'}
        </BarButton>
      </div>
    </div>
  )
}

function Problem({ message }: { readonly message: string }): ReactNode {
  return (
    <p className="cs-bad" role="alert">
      <SafeTextView text={message} />
    </p>
  )
}
