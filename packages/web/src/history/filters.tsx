import { OUTCOMES, RISK_LEVELS, safeText } from '@countersign/react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type HistoryFilter, service } from '../api/service.ts'
import { ExportButton } from './export-button.tsx'

/** What the past can be narrowed by; each is a parameter of the page's address. */
export const FILTERS = ['tool', 'agent', 'risk', 'outcome', 'approver', 'days'] as const

const SINCE = [
  ['1', 'last day'],
  ['7', 'last week'],
  ['30', 'last month'],
] as const

/** The filters of the history, with what there is to choose from, and the export that follows them. */
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
    any = 'any',
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
      {choice('approver', 'Decided by', approverNames(seen.data?.approvers ?? [], nameOf), 'anyone')}
      {choice('days', 'When', SINCE, 'any time')}
      <ExportButton query={query} />
    </div>
  )
}

function same(all: readonly string[] = []): readonly (readonly [string, string])[] {
  return all.map((one) => [one, one])
}

/** One list to choose from. What is chosen stands in it, whether it was seen or not. */
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
  // SECURITY: A14 names are what agents and servers made up: the page itself holds them only as safe text.
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

/** Names for keys that decided: where two have the same name, each with the beginning of its own id. */
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
