import {
  type Decision,
  type Feedback,
  isAnswerOnly,
  type OpenedView,
  queueFacts,
  queueOrder,
  type Receipt,
  type SafeText,
  safeText,
} from '@countersign/core'
import { Box, useApp, useWindowSize } from 'ink'
import { type ReactNode, useEffect, useMemo, useReducer, useState } from 'react'
import type { CardEffect, CardPower } from '../card/card-state.ts'
import { createPaint } from '../card/text/color.ts'
import { cutText } from '../card/text/format.ts'
import { Line } from '../ink/line.tsx'
import { useKeys } from '../ink/use-keys.ts'
import { useSuspension } from '../ink/use-suspension.ts'
import { useWake } from '../ink/use-wake.ts'
import type { CardWorld, DeskEvent, DeskSource } from '../review/approval-source.ts'
import { BatchView } from '../review/batch-view.tsx'
import { HeldCard } from '../review/held-card.tsx'
import { QueueFilter } from './filter.tsx'
import { layQueue } from './layout.ts'
import { QueueBar, QueueList } from './list.tsx'
import { PauseLine, usePause } from './pause.tsx'
import { Receipts } from './receipts.tsx'
import { EMPTY_QUEUE, filterQueue, moveInQueue, type QueueState, shownIn, stepQueue } from './reducer.ts'
import { useBatch } from './use-batch.ts'

/** Props of the queue screen. */
export interface QueueAppProps {
  readonly source: DeskSource
  readonly color: boolean
  /** Shown while no calls are held. */
  readonly title: SafeText
  /** Called with every state. */
  readonly onState?: (state: QueueState) => void
}

type Move =
  | DeskEvent
  | { readonly kind: 'move'; readonly by: 1 | -1 }
  | { readonly kind: 'filter'; readonly text: string }

function step(state: QueueState, move: Move): QueueState {
  if (move.kind === 'filter') return filterQueue(state, move.text)
  return move.kind === 'move' ? moveInQueue(state, move.by) : stepQueue(state, move)
}

function idleKeys(canUndo: boolean, canRate: boolean, canPause: boolean): string {
  return [
    ...(canPause ? ['s stop all'] : []),
    ...(canUndo ? ['u undo the last approved call'] : []),
    ...(canRate ? ['w worth asking', 'p pointless'] : []),
    'q quit',
  ].join(' · ')
}

/** The screen of `countersign watch`: one card, the queue, and receipts. */
export function QueueApp({ source, color, title, onState }: QueueAppProps): ReactNode {
  const { exit } = useApp()
  const { columns, rows } = useWindowSize()
  const [state, dispatch] = useReducer(step, EMPTY_QUEUE)
  const [mode, setMode] = useState<'card' | 'full'>('card')
  const { isSuspended, suspend } = useSuspension()
  const [filtering, setFiltering] = useState({ isOpen: false, round: 0 })
  const { held: all, receipts, selected, problem, paused, filter } = state
  const held = useMemo(() => shownIn(state), [state])
  const hidden = useMemo(() => all.filter((one) => !held.includes(one)), [all, held])
  const opened = held.find(({ view }) => view.id === selected)
  const batch = useBatch(held, opened)
  const undoable = receipts.find(({ undoable }) => undoable)
  const rateable = receipts.find(({ by, surface }) => by !== null && surface === null)
  const paint = createPaint(color)
  const pause = usePause(source, paused, (message) => dispatch({ kind: 'problem', message }))
  const canPause = source.setPause !== undefined

  useEffect(
    () =>
      source.subscribe((event) =>
        dispatch(
          event.kind === 'held' ? { ...event, calls: queueOrder(event.calls, queueFacts, source.clock.now()) } : event,
        ),
      ),
    [source],
  )
  useEffect(() => onState?.(state), [state, onState])

  const soonest = Math.min(...held.map(({ body }) => body.expiresAt)) - source.clock.now()
  const [, tick] = useReducer((count: number) => count + 1, 0)
  useWake(source.clock, held.length < 2 ? null : source.clock.monotonic() + 1_000, tick)

  const world = useMemo((): CardWorld => {
    const { clock, wouldMatch, proposeRule, copy } = source
    return {
      clock,
      decide: (opened, decision, passphrase, rule) => source.decide(opened, decision, passphrase, rule),
      sealed: source.sealed === true,
      remote: true,
      edit: (args, whole) => suspend(() => source.edit?.(args, whole) ?? Promise.resolve({ kind: 'unchanged' })),
      ...(proposeRule === undefined ? {} : { proposeRule: (one, offer) => proposeRule(one, offer) }),
      ...(wouldMatch === undefined ? {} : { wouldMatch: (scope) => wouldMatch(scope) }),
      ...(copy === undefined ? {} : { copy: (text) => copy(text) }),
    }
  }, [source, suspend])
  const isMany = all.length > 1
  const isPaused = paused !== null
  const powers = useMemo(() => {
    const own: CardPower[] = mode === 'full' ? ['full', 'leave', 'quit'] : ['full', 'quit']
    const isEditable = opened?.body.passkey !== true && (opened === undefined || !isAnswerOnly(opened))
    if (source.edit !== undefined && isEditable) own.push('edit')
    if (source.copy !== undefined) own.push('copy')
    if (held.length > 1) own.push('queue')
    if (isMany || filter !== '') own.push('filter')
    if (batch.equal.length > 1 && source.sealed !== true) own.push('batch')
    if (undoable !== undefined) own.push('undo')
    if (rateable !== undefined) own.push('rate')
    if (canPause) own.push(isPaused ? 'resume' : 'pause')
    return new Set(own)
  }, [source, opened, held.length, batch.equal.length, undoable, rateable, mode, isMany, filter, canPause, isPaused])

  function undo(): void {
    if (undoable === undefined) return
    source.undo(undoable.callId).then(
      (message) => dispatch({ kind: 'problem', message }),
      (error: unknown) =>
        dispatch({ kind: 'problem', message: safeText(error instanceof Error ? error.message : String(error)) }),
    )
  }

  /** SECURITY: A5 a key for the last receipt decides nothing. */
  function rate(answer: Feedback): void {
    if (rateable === undefined) return
    const words = answer === 'worth-asking' ? 'worth asking' : 'not worth asking'
    source.rate(rateable.callId, answer).then(
      () => dispatch({ kind: 'problem', message: safeText(`noted for ${rateable.mark}: ${words}`) }),
      (error: unknown) => dispatch({ kind: 'problem', message: safeText(String(error)) }),
    )
  }

  function act(effect: CardEffect): void {
    if (effect.kind === 'quit' || effect.kind === 'withdraw') exit()
    if (effect.kind === 'queue') dispatch({ kind: 'move', by: effect.by })
    if (effect.kind === 'full' || effect.kind === 'leave') setMode(mode === 'full' ? 'card' : 'full')
    if (effect.kind === 'batch') batch.open()
    if (effect.kind === 'undo') undo()
    if (effect.kind === 'rate') rate(effect.answer)
    if (effect.kind === 'filter') openFilter()
    if (effect.kind === 'pause') pause.toggle()
  }

  function openFilter(): void {
    setFiltering({ isOpen: true, round: filtering.round + 1 })
  }

  function decideBatch(calls: readonly OpenedView[], decision: Decision): void {
    batch.close()
    for (const one of calls)
      source.decide(one, decision).then(
        (receipt) => refusedBatch(receipt),
        (error: unknown) => dispatch({ kind: 'problem', message: safeText(String(error)) }),
      )
  }

  function refusedBatch({ accepted, message }: Receipt): void {
    if (!accepted) dispatch({ kind: 'problem', message: safeText(message) })
  }

  useKeys(
    (keys) => {
      const [key] = keys
      const letter = key?.kind === 'text' && keys.length === 1 ? key.text.toLowerCase() : ''
      if (key?.kind === 'interrupt' || letter === 'q') exit()
      if (letter === 'u') undo()
      if (letter === 's') pause.toggle()
      if (letter === 'w') rate('worth-asking')
      if (letter === 'p') rate('not-worth-asking')
      if (letter === '/' && filter !== '') openFilter()
      if (key?.kind === 'escape') dispatch({ kind: 'filter', text: '' })
    },
    opened === undefined && !isSuspended && !filtering.isOpen && !pause.isAsked,
  )

  const isFiltered = filtering.isOpen || filter !== ''
  const room = layQueue(
    rows - (isFiltered ? 1 : 0) - (paused === null ? 0 : 1),
    held.length === 0 ? 0 : all.length,
    receipts.length,
    problem !== null,
    mode === 'full',
  )
  if (batch.calls.length > 1)
    return (
      <BatchView
        key={batch.calls.map(({ view }) => view.requestDigest).join()}
        calls={batch.calls}
        world={world}
        width={columns}
        height={Math.max(4, rows - 1)}
        color={color}
        onDecide={decideBatch}
        onBack={batch.close}
      />
    )
  return (
    <Box flexDirection="column" width={columns}>
      {paused === null ? null : (
        <PauseLine paused={paused} pause={pause} source={source} columns={columns} color={color} />
      )}
      {opened === undefined ? (
        <Line>{paint(cutText(safeText(emptyText(state)), columns), 'bold')}</Line>
      ) : all.length < 2 ? null : (
        <QueueBar held={held} hidden={hidden} listed={room.list} soonest={soonest} columns={columns} color={color} />
      )}
      {isFiltered ? (
        <QueueFilter
          text={filter}
          isOpen={filtering.isOpen}
          columns={columns}
          color={color}
          onText={(text) => dispatch({ kind: 'filter', text })}
          onClose={() => setFiltering({ ...filtering, isOpen: false })}
        />
      ) : null}
      {room.list > 0 ? (
        <QueueList held={held} selected={selected} columns={columns} rows={room.list} color={color} />
      ) : null}
      {opened === undefined ? (
        <Line>{paint(cutText(title, columns), 'dim')}</Line>
      ) : (
        <HeldCard
          // SECURITY: A5 a card arms again after the filter and the question, whose last key must not decide.
          key={`${opened.view.requestDigest} ${filtering.round} ${pause.isAsked}`}
          opened={opened}
          world={world}
          width={columns}
          height={room.card}
          color={color}
          place={{ at: held.indexOf(opened) + 1, of: held.length }}
          isActive={!isSuspended && !filtering.isOpen && !pause.isAsked}
          powers={powers}
          onEffect={act}
        />
      )}
      {problem === null ? null : <Line>{paint(cutText(problem, columns), 'yellow')}</Line>}
      <Receipts receipts={receipts} columns={columns} rows={room.receipts} color={color} />
      {opened === undefined ? (
        <Line>
          {paint(idleKeys(undoable !== undefined, rateable !== undefined, canPause && paused === null), 'cyan')}
        </Line>
      ) : null}
    </Box>
  )
}

function emptyText({ isRead, held }: QueueState): string {
  if (held.length > 0) return `No held call matches the filter; ${held.length} hidden. Esc shows all`
  return isRead ? 'No held calls' : 'Loading held calls …'
}
