import {
  answerTo,
  BarButton,
  ignoreKeyRepeat,
  RuleProposal,
  SafeTextView,
  StrayPressNote,
  useArmed,
  useTyped,
} from '@countersign/react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { service } from '../api/service.ts'
import { useDesk } from '../approvals/context.ts'
import { applyRule } from './apply-rule.ts'
import { SETTINGS, type Setting, settingOf, type Target } from './setting.ts'

/** Sets how closely a tool or a server is supervised: shows the effect first, then signs and applies it. */
export function SupervisionSetting({ target }: { readonly target: Target }): ReactNode {
  const queries = useQueryClient()
  const { blocked } = useDesk()
  const rules = useQuery({ queryKey: ['rules'], queryFn: service.rules })
  const current = settingOf(rules.data?.rules ?? [], target)
  const [wanted, setWanted] = useState<Setting | null>(null)
  // Not a query: a refetch would replace what the person is about to sign.
  const proposal = useMutation({
    mutationFn: (supervision: Setting) => service.proposeRules({ kind: 'set', conditions: { ...target }, supervision }),
  })
  const shown = wanted === null ? undefined : proposal.data
  const [typed, setTyped] = useTyped(shown)
  const answer = shown === undefined ? null : answerTo(shown, typed)
  const armed = useArmed(shown?.change.nonce ?? 'nothing')
  const apply = useMutation({
    mutationFn: applyRule,
    onSuccess: () => choose(null),
    onSettled: () => queries.invalidateQueries(),
  })
  function choose(next: Setting | null): void {
    setWanted(next === current ? null : next)
    proposal.reset()
    if (next !== null && next !== current) proposal.mutate(next)
  }

  const problem = proposal.error ?? apply.error ?? rules.error
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles key repeat anywhere in the setting
    <div className="tool-setting" data-armed={armed} onKeyDown={ignoreKeyRepeat}>
      <label className="tool-wanted">
        <span>Supervision</span>
        <select
          className="cs-input"
          value={wanted ?? current}
          disabled={rules.data === undefined || apply.isPending}
          onChange={(event) => {
            apply.reset()
            choose(event.target.value as Setting)
          }}
        >
          {SETTINGS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {shown !== undefined && (
        <>
          <RuleProposal proposal={shown} typed={typed} onType={setTyped} />
          {blocked !== null && <p className="cs-bad">{blocked}</p>}
          <StrayPressNote />
          <div className="cs-actions">
            <BarButton kind="plain" onPress={() => choose(null)}>
              Cancel
            </BarButton>
            <BarButton
              kind="approve"
              level={shown.act.loosens ? 'high' : 'low'}
              disabled={!armed || answer === null || blocked !== null || apply.isPending}
              onPress={() => {
                if (armed && answer !== null && blocked === null && !apply.isPending) apply.mutate(answer)
              }}
            >
              {apply.isPending ? 'Signing…' : 'Sign and apply'}
            </BarButton>
          </div>
        </>
      )}
      {problem !== null && (
        <p className="cs-bad" role="alert">
          <SafeTextView text={problem.message} />
        </p>
      )}
    </div>
  )
}
