import { OUTCOMES, RISK_LEVELS, safeText } from '@countersign/react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type HistoryFilter, service } from '../api/service.ts'
import { ExportButton } from './export-button.tsx'

/** The filters, each a query parameter of the page. */
export const FILTERS = ['tool', 'agent', 'risk', 'outcome', 'approver', 'days'] as const

const SINCE = [
  ['1', 'Last 24 hours'],
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
] as const

/** The filter controls and the export button. */
export function HistoryFilters({
  given,
  set,
  nameOf,
  query,
}: {
  readonly given: Readonly<Record<string, string>>
  readonly set: (name: string, value: string) => void
  readonly nameOf: (approver: string) => string
  readonly query: HistoryFilter
}): ReactNode {
  const seen = useQuery({ queryKey: ['seen'], queryFn: service.seen, staleTime: 30_000 })
  const choice = (
    name: (typeof FILTERS)[number],
    label: string,
    choices: readonly (readonly [string, string])[],
    any = 'Any',
  ): ReactNode => (
    <Choice
      label={label}
      value={given[name] ?? ''}
      choices={choices}
      any={any}
      onChange={(value) => set(name, value)}
    />
  )
  return (
    <div className="filters">
      {choice('tool', 'Tool', same(seen.data?.tools))}
      {choice('agent', 'Agent', same(seen.data?.agents))}
      {choice('risk', 'Risk', same(RISK_LEVELS))}
      {choice('outcome', 'Outcome', same(OUTCOMES))}
      {choice('approver', 'Decided by', approverNames(seen.data?.approvers ?? [], nameOf), 'Anyone')}
      {choice('days', 'Time', SINCE, 'Any time')}
      <ExportButton query={query} />
    </div>
  )
}

function same(all: readonly string[] = []): readonly (readonly [string, string])[] {
  return all.map((one) => [one, one])
}

/** A select that always includes the current value. */
function Choice({
  label,
  value,
  choices,
  any,
  onChange,
}: {
  readonly label: string
  readonly value: string
  readonly choices: readonly (readonly [string, string])[]
  readonly any: string
  readonly onChange: (value: string) => void
}): ReactNode {
  const isListed = value === '' || choices.some(([one]) => one === value)
  const listed = [['', any] as const, ...(isListed ? [] : [[value, value] as const]), ...choices]
  // SECURITY: A14 names come from agents and servers, so options use safe text only.
  return (
    <label>
      <span>{label}</span>
      <select
        className="cs-input"
        value={listed.findIndex(([one]) => one === value)}
        onChange={(event) => onChange(listed[Number(event.target.value)]?.[0] ?? '')}
      >
        {listed.map(([one, words], at) => (
          <option key={one} value={at}>
            {safeText(words)}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Names of approvers, with a short id where two share a name. */
export function approverNames(
  ids: readonly string[],
  nameOf: (id: string) => string,
): readonly (readonly [id: string, name: string])[] {
  const named = ids.map((id) => [id, nameOf(id)] as const)
  return named.map(([id, name]) => {
    const isAlone = named.filter(([, other]) => other === name).length === 1
    return [id, isAlone ? name : `${name} (${id.slice(0, 8)})`] as const
  })
}
