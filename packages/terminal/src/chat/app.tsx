import { type Clock, type SafeText, safeText } from '@countersign/core'
import { Box, Static, useApp, useIsScreenReaderEnabled, useWindowSize } from 'ink'
import { type ReactNode, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { createPaint, type Paint } from '../card/text/color.ts'
import { cutText } from '../card/text/format.ts'
import { join } from '../card/text/rows.ts'
import { Line, Lines } from '../ink/line.tsx'
import { useKeys } from '../ink/use-keys.ts'
import { useSuspension } from '../ink/use-suspension.ts'
import { useWake } from '../ink/use-wake.ts'
import { ChatCards } from './cards.tsx'
import { composerLines } from './composer/lines.ts'
import { type ChatInput, useChatInput } from './composer/use-chat-input.ts'
import { GrantsPanel } from './grants-panel.tsx'
import { layChat } from './layout.ts'
import type { Gutter } from './transcript/agent-lines.ts'
import { liveLines, rowLines } from './transcript/row-lines.ts'
import type { ChatSource, ChatStatus } from './transcript/source.ts'
import { useChat } from './transcript/use-chat.ts'

/** A card opens only after this long without typing. SECURITY: A5. */
const TYPING_MS = 1_000
const HINTS = 6

/** Props of the chat screen. */
export interface ChatAppProps {
  readonly source: ChatSource
  readonly color: boolean
  /** First message, sent at once. */
  readonly opening?: string
}

/** The screen of `countersign chat`: finished rows above, current activity below. */
export function ChatApp({ source, color, opening }: ChatAppProps): ReactNode {
  const { columns, rows } = useWindowSize()
  const reader = useIsScreenReaderEnabled()
  const paint = useMemo(() => createPaint(color), [color])
  const gutter: Gutter = reader ? 'spoken' : 'drawn'
  const [isPanel, setPanel] = useState(false)
  const [isFull, setFull] = useState(false)
  const chat = useChat(source)
  const { state } = chat
  const talk = useChatInput(source, chat, () => setPanel(true))
  const suspension = useSuspension()
  const { clock } = source
  const isHeld = state.held.length > 0
  const isCard = useCardTurn(clock, isHeld, talk)
  useOpening(source, opening)
  useLeaving(talk.isGone)
  useSeconds(clock, (state.isWorking || state.live.length > 0) && !reader)

  // Always listens, so that the terminal stays in raw mode while the focus moves.
  useKeys((keys) => {
    if (isCard) return
    if (isPanel) return talk.touch()
    if (keys.some(({ kind }) => kind === 'interrupt')) talk.interrupt()
    else talk.write(keys, true)
  }, !suspension.isSuspended)

  const draft = composerLines(talk.composer, {
    columns,
    rows: Math.max(1, Math.floor(rows / 3)),
    paint,
    hint: hintOf(talk, isCard ? 'card' : isPanel ? 'panel' : null, isHeld),
    isAway: isCard || isPanel,
  })
  const room = layChat({ rows, isCard, held: state.held.length, isFull, written: draft.length })
  const hints = isCard || isPanel ? [] : talk.hints.slice(0, Math.min(HINTS, room.live))
  const live = isCard ? state.live.filter((row) => row.state !== 'held') : state.live
  const look = { columns, rows: room.live - hints.length, paint, gutter, now: clock.now() }
  return (
    <>
      <Static key={state.forgotten} items={[...state.done]}>
        {(row, at) => (
          <Box key={at} flexDirection="column">
            <Lines lines={rowLines(row, columns, paint, { gutter })} />
          </Box>
        )}
      </Static>
      <Box flexDirection="column" width={columns} display={talk.isGone ? 'none' : 'flex'}>
        {isPanel && !isCard ? (
          <GrantsPanel
            source={source}
            columns={columns}
            rows={room.live}
            paint={paint}
            isActive={!suspension.isSuspended}
            onClose={() => setPanel(false)}
          />
        ) : (
          <Lines lines={liveLines({ ...state, live }, look)} />
        )}
        {isCard ? (
          <ChatCards
            source={source}
            held={state.held}
            selected={state.selected}
            suspension={suspension}
            columns={columns}
            rows={room.card}
            color={color}
            onMove={chat.look}
            onFull={() => setFull(!isFull)}
            isFull={isFull}
            onAbort={talk.interrupt}
            onProblem={(message) => talk.note('warning', message)}
            onTyped={(keys) => talk.write(keys, false)}
          />
        ) : null}
        {room.rule > 0 && !reader ? <Line>{paint('─'.repeat(Math.max(1, columns - 1)), 'dim')}</Line> : null}
        <Lines lines={hints.map(({ name, does }) => paint(`  /${name}`.padEnd(14) + does, 'cyan'))} />
        <Lines lines={draft.slice(0, room.composer)} />
        {room.status === 0 ? null : (
          <ChatStatusLine
            status={source.status()}
            doing={doingOf(state.isWorking, state.held.length)}
            tokens={state.tokens}
            columns={columns}
            paint={paint}
          />
        )}
      </Box>
    </>
  )
}

/** Whether a card has the keyboard. The first card waits until the person stops typing. */
function useCardTurn(clock: Clock, isHeld: boolean, { typedAt }: ChatInput): boolean {
  const [isOpen, setOpen] = useState(false)
  useWake(clock, isHeld && !isOpen ? typedAt.current + TYPING_MS : null, () => setOpen(true))
  useEffect(() => {
    if (!isHeld) setOpen(false)
  }, [isHeld])
  return isOpen && isHeld
}

function useOpening(source: ChatSource, opening: string | undefined): void {
  const isSaid = useRef(false)
  useEffect(() => {
    if (isSaid.current || opening === undefined) return
    isSaid.current = true
    source.say(opening)
  }, [opening, source])
}

/** Exits after a last frame without the live area. */
function useLeaving(isGone: boolean): void {
  const { exit } = useApp()
  useEffect(() => {
    if (isGone) exit()
  }, [isGone, exit])
}

/** Redraws every second while something runs. */
function useSeconds(clock: Clock, isRunning: boolean): void {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const second = Math.floor(clock.monotonic() / 1_000)
  useWake(clock, isRunning ? (second + 1) * 1_000 : null, redraw)
}

function hintOf({ isQuitting, queued }: ChatInput, away: 'card' | 'panel' | null, isHeld: boolean): SafeText {
  if (isQuitting) return safeText('press Ctrl-C again to quit')
  if (away === 'card') return safeText('keys go to the card; r rejects with a reason')
  if (away === 'panel') return safeText('keys go to the grants panel; Esc closes it')
  if (isHeld) return safeText('a call needs you: its card opens when you stop typing')
  if (queued !== null) return safeText('your message is sent when the agent has finished')
  return safeText('type a message, or / for commands')
}

function doingOf(isWorking: boolean, held: number): string {
  if (held > 0) return `${held} held, Ctrl-C to withdraw`
  return isWorking ? 'working, Ctrl-C to stop' : 'ready'
}

/** The status line: activity, preset, model and tokens. */
function ChatStatusLine({
  status,
  doing,
  tokens,
  columns,
  paint,
}: {
  readonly status: ChatStatus
  readonly doing: string
  readonly tokens: number
  readonly columns: number
  readonly paint: Paint
}): ReactNode {
  const { model, preset, session, isClassic } = status
  const cost = tokens === 0 ? safeText('') : safeText(` · ${tokens.toLocaleString('en')} tokens`)
  if (isClassic) {
    const text = join`  ${safeText(doing)} · CLASSIC: no calls are held · ${model}${cost}`
    return <Line>{paint(cutText(text, columns - 1), 'yellow', 'bold')}</Line>
  }
  const text = join`  ${safeText(doing)} · ${preset} · ${model}${cost} · session ${session}`
  return <Line>{paint(cutText(text, columns - 1), 'dim')}</Line>
}
