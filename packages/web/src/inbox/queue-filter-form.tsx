import { RISK_LEVELS, type RiskLevel, safeText } from '@countersign/react'
import { type ReactNode, type Ref, useId } from 'react'
import { EVERYTHING, type Queue, type QueueChoice } from './queue-filter.ts'

/** Search and filters above the list, and how many calls they hide. */
export function QueueFilterForm({
  queue,
  choice,
  onChoice,
  search,
}: {
  readonly queue: Queue
  readonly choice: QueueChoice
  readonly onChoice: (choice: QueueChoice) => void
  readonly search: Ref<HTMLInputElement>
}): ReactNode {
  const { agents, tools, workspaces, hidden } = queue
  const used = [choice.agent, choice.risk, choice.tool, choice.workspace].filter((one) => one !== '').length
  return (
    <search className="queue-filter">
      <input
        ref={search}
        type="search"
        aria-label="Search held calls"
        placeholder="Search: words, agent:, risk:, tool:, in:"
        maxLength={200}
        value={choice.text}
        onChange={({ target }) => onChoice({ ...choice, text: target.value })}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Escape') currentTarget.blur()
        }}
      />
      <details>
        <summary>Filters{used === 0 ? '' : ` (${used})`}</summary>
        <div className="queue-filters">
          <Pick label="Agent" values={agents} value={choice.agent} pick={(agent) => onChoice({ ...choice, agent })} />
          <Pick
            label="Risk"
            values={RISK_LEVELS.slice(1)}
            words={(level) => (level === 'critical' ? level : `${level} and above`)}
            value={choice.risk}
            pick={(risk) => onChoice({ ...choice, risk: risk as RiskLevel | '' })}
          />
          <Pick label="Tool" values={tools} value={choice.tool} pick={(tool) => onChoice({ ...choice, tool })} />
          <Pick
            label="Workspace"
            values={workspaces}
            value={choice.workspace}
            pick={(workspace) => onChoice({ ...choice, workspace })}
          />
        </div>
      </details>
      <p className="queue-hidden" role="status">
        {hidden !== '' && (
          <>
            {hidden}{' '}
            <button type="button" className="cs-quiet" onClick={() => onChoice(EVERYTHING)}>
              Show all
            </button>
          </>
        )}
      </p>
    </search>
  )
}

function Pick({
  label,
  values,
  value,
  pick,
  words = (one) => one,
}: {
  readonly label: string
  readonly values: readonly string[]
  readonly value: string
  readonly pick: (value: string) => void
  readonly words?: (value: string) => string
}): ReactNode {
  const id = useId()
  // A chosen value stays in the menu after its last call.
  const listed = value === '' || values.includes(value) ? values : [...values, value]
  // Options are numbered: an attribute would hold a name with its invisible characters.
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value === '' ? '' : String(listed.indexOf(value))}
        onChange={({ target }) => pick(target.value === '' ? '' : (listed[Number(target.value)] ?? ''))}
      >
        <option value="">All</option>
        {listed.map((one, at) => (
          <option key={one} value={String(at)}>
            {safeText(words(one))}
          </option>
        ))}
      </select>
    </div>
  )
}
