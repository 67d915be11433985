import { type Decision, isAnswerOnly, type OpenedView, type SafeText, safeText } from '@countersign/core'
import { type ReactNode, useMemo, useRef } from 'react'
import type { CardEffect, CardPower } from '../card/card-state.ts'
import type { Key } from '../card/keys/key.ts'
import type { Suspension } from '../ink/use-suspension.ts'
import { QueueBar } from '../queue/list.tsx'
import { useBatch } from '../queue/use-batch.ts'
import type { CardWorld } from '../review/approval-source.ts'
import { BatchView } from '../review/batch-view.tsx'
import { HeldCard } from '../review/held-card.tsx'

/** Props of the cards in the chat. */
export interface ChatCardsProps {
  readonly source: CardWorld
  readonly held: readonly OpenedView[]
  readonly selected: string | null
  readonly suspension: Suspension
  readonly columns: number
  readonly rows: number
  readonly color: boolean
  readonly onMove: (by: 1 | -1) => void
  readonly onFull: () => void
  readonly isFull: boolean
  readonly onAbort: () => void
  readonly onProblem: (message: SafeText) => void
  /** Keys that the card does not use, for example before it is armed: they go to the message. */
  readonly onTyped: (keys: readonly Key[]) => void
}

/** Shows one held call at a time; a bar counts the others. */
export function ChatCards(props: ChatCardsProps): ReactNode {
  const { source, held, selected, suspension, columns, rows, color, onProblem } = props
  const { isSuspended, suspend } = suspension
  const opened = held.find(({ view }) => view.id === selected) ?? held[0]
  const batch = useBatch(held, opened)
  const problem = useRef(onProblem)
  problem.current = onProblem
  const world = useMemo((): CardWorld => {
    const { clock, wouldMatch, proposeRule, copy } = source
    return {
      clock,
      async decide(one, decision, passphrase, rule) {
        const receipt = await source.decide(one, decision, passphrase, rule)
        // The card is already closed: report the result in the conversation.
        if (!receipt.accepted && receipt.state !== 'held') problem.current(safeText(receipt.message))
        return receipt
      },
      sealed: source.sealed === true,
      edit: (args, whole) => suspend(() => source.edit?.(args, whole) ?? Promise.resolve({ kind: 'unchanged' })),
      ...(proposeRule === undefined ? {} : { proposeRule: (one, offer) => proposeRule(one, offer) }),
      ...(wouldMatch === undefined ? {} : { wouldMatch: (scope) => wouldMatch(scope) }),
      ...(copy === undefined ? {} : { copy: (text) => copy(text) }),
    }
  }, [source, suspend])
  const powers = useMemo(() => {
    const all: CardPower[] = props.isFull ? ['full', 'leave'] : ['full']
    if (source.edit !== undefined && opened !== undefined && !isAnswerOnly(opened) && opened.body.passkey !== true)
      all.push('edit')
    if (source.copy !== undefined) all.push('copy')
    if (held.length > 1) all.push('queue')
    if (batch.equal.length > 1 && source.sealed !== true) all.push('batch')
    return new Set(all)
  }, [source, opened, held.length, batch.equal.length, props.isFull])
  if (opened === undefined) return null

  function act(effect: CardEffect): void {
    if (effect.kind === 'withdraw') props.onAbort()
    if (effect.kind === 'queue') props.onMove(effect.by)
    if (effect.kind === 'full' || effect.kind === 'leave') props.onFull()
    if (effect.kind === 'batch') batch.open()
  }

  function decideBatch(calls: readonly OpenedView[], decision: Decision): void {
    batch.close()
    for (const one of calls)
      source.decide(one, decision).then(
        ({ accepted, message }) => (accepted ? undefined : onProblem(safeText(message))),
        (error: unknown) => onProblem(safeText(String(error))),
      )
  }

  const soonest = Math.min(...held.map(({ body }) => body.expiresAt)) - source.clock.now()
  if (batch.calls.length > 1)
    return (
      <BatchView
        key={batch.calls.map(({ view }) => view.requestDigest).join()}
        calls={batch.calls}
        world={world}
        width={columns}
        height={rows}
        color={color}
        onDecide={decideBatch}
        onBack={batch.close}
      />
    )
  return (
    <>
      {held.length < 2 ? null : <QueueBar held={held} soonest={soonest} columns={columns} color={color} />}
      <HeldCard
        key={opened.view.requestDigest}
        opened={opened}
        world={world}
        width={columns}
        height={rows}
        color={color}
        place={{ at: held.indexOf(opened) + 1, of: held.length }}
        isActive={!isSuspended}
        powers={powers}
        onEffect={act}
        onKeys={(keys, isTaken) => {
          if (!isTaken && !keys.some(({ kind }) => kind === 'interrupt')) props.onTyped(keys)
        }}
      />
    </>
  )
}
