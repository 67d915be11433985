import { type SafeText, safeText } from '@countersign/core'
import { type RefObject, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import type { Key } from '../../card/keys/key.ts'
import { useWake } from '../../ink/use-wake.ts'
import type { ChatSource } from '../transcript/source.ts'
import type { LiveChat } from '../transcript/use-chat.ts'
import { type ComposerState, EMPTY_COMPOSER, stepComposer, textOf } from './line-editor.ts'
import { helpText, matchingCommands, type NamedCommand, readSlash, SCREEN_COMMANDS } from './slash-commands.ts'

/** Time for the second Ctrl-C. */
const QUIT_MS = 2_000

/** The input side of a conversation. */
export interface ChatInput {
  readonly composer: ComposerState
  /** Commands that start with the typed text. */
  readonly hints: readonly NamedCommand[]
  /** A message that waits until the agent has finished. */
  readonly queued: string | null
  /** A second Ctrl-C would quit. */
  readonly isQuitting: boolean
  /** The person has quit. */
  readonly isGone: boolean
  /** Time of the last key, on the monotonic clock. */
  readonly typedAt: RefObject<number>
  /** Notes a key that went to another part of the screen. */
  touch(): void
  write(keys: readonly Key[], canSend: boolean): void
  /** Ctrl-C: stops the agent, or clears the message, or quits when pressed twice. */
  interrupt(): void
  note(tone: 'plain' | 'warning', ...lines: readonly SafeText[]): void
}

/** The input side of the chat. */
export function useChatInput(source: ChatSource, { state, tell }: LiveChat, onGrants: () => void): ChatInput {
  const { clock } = source
  const composer = useComposer()
  const commands = useMemo(() => [...SCREEN_COMMANDS, ...source.commands].sort(byName), [source])
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const [isGone, setGone] = useState(false)
  const typedAt = useRef(Number.NEGATIVE_INFINITY)
  const quitBy = useRef(Number.NEGATIVE_INFINITY)
  const queued = useRef<string | null>(null)
  const isQuitting = clock.monotonic() < quitBy.current
  useWake(clock, isQuitting ? quitBy.current : null, redraw)

  // Retried after every frame, since the screen's state lags one frame behind.
  useEffect(() => {
    if (queued.current !== null && !state.isWorking && source.say(queued.current)) queued.current = null
  })

  const note: ChatInput['note'] = (tone, ...lines) => tell({ kind: 'note', lines, tone })

  function send(text: string): void {
    const slash = readSlash(text)
    const said = text.startsWith('//') ? text.slice(1) : text
    if (slash !== null) command(slash.name, slash.rest)
    else if (!source.say(said)) queued.current = queued.current === null ? said : `${queued.current}\n${said}`
  }

  function command(name: string, rest: string): void {
    const found = source.commands.find((one) => one.name === name)
    if (found !== undefined)
      found.run(rest).then(
        (lines) => (lines.length === 0 ? undefined : note('plain', ...lines)),
        (error: unknown) => note('warning', safeText(error instanceof Error ? error.message : String(error))),
      )
    else if (name === 'quit' || name === 'exit') leave()
    else if (name === 'help' || name === '') note('plain', ...helpText(commands))
    else if (name === 'grants') onGrants()
    else note('warning', safeText(`unknown command /${name}; /help lists the commands`))
  }

  function leave(): void {
    source.abort()
    setGone(true)
  }

  return {
    composer: composer.state,
    hints: matchingCommands(textOf(composer.state.cells), commands),
    queued: queued.current,
    isQuitting,
    isGone,
    typedAt,
    note,
    touch() {
      typedAt.current = clock.monotonic()
      redraw()
    },
    write(keys, canSend) {
      typedAt.current = clock.monotonic()
      const isTab = keys[0]?.kind === 'next' && keys[0].arrow === undefined
      const [completed] = isTab ? matchingCommands(textOf(composer.state.cells), commands) : []
      if (completed !== undefined) composer.put(`/${completed.name} `)
      const sent = composer.take(isTab ? keys.slice(1) : keys, canSend)
      if (sent !== null) send(sent)
    },
    interrupt() {
      const isBusy = state.isWorking || state.held.length > 0 || state.live.length > 0
      if (isBusy) {
        if (queued.current !== null && composer.state.cells.length === 0) composer.put(queued.current)
        queued.current = null
        source.abort()
      } else if (composer.state.cells.length > 0) composer.put('')
      else if (clock.monotonic() < quitBy.current) leave()
      else {
        quitBy.current = clock.monotonic() + QUIT_MS
        redraw()
      }
    },
  }
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1
}

/** The message editor. */
interface LiveComposer {
  readonly state: ComposerState
  /** Handles keys; returns the text if it was sent. */
  take(keys: readonly Key[], canSend: boolean): string | null
  /** Replaces the text. */
  put(text: string): void
}

/** Keys may arrive faster than frames, so the state is kept in a ref. */
function useComposer(): LiveComposer {
  const kept = useRef(EMPTY_COMPOSER)
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const set = (state: ComposerState): void => {
    kept.current = state
    redraw()
  }
  return {
    state: kept.current,
    take(keys, canSend) {
      const { state, sent } = stepComposer(kept.current, keys, canSend)
      set(state)
      return sent
    },
    put(text) {
      const cells = Array.from(text)
      set({ ...kept.current, cells, cursor: cells.length, recalled: null })
    },
  }
}
