import { type SafeText, safeText } from '@countersign/core'
import { type RefObject, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import type { Key } from '../../card/keys/key.ts'
import { useWake } from '../../ink/use-wake.ts'
import type { ChatSource } from '../transcript/source.ts'
import type { LiveChat } from '../transcript/use-chat.ts'
import { type ComposerState, EMPTY_COMPOSER, stepComposer, textOf } from './line-editor.ts'
import { fitting, helpText, type NamedCommand, readSlash, SCREEN_COMMANDS } from './slash-commands.ts'

/** How long a first Ctrl-C waits for the second. */
const QUIT_MS = 2_000

/** The person's side of a conversation. */
export interface Talk {
  readonly composer: ComposerState
  /** Commands that begin like what is written. */
  readonly hints: readonly NamedCommand[]
  /** Waits until the agent has stopped. */
  readonly queued: string | null
  /** A second Ctrl-C would leave. */
  readonly isQuitting: boolean
  /** The person has left. */
  readonly isGone: boolean
  /** When a key was last written, on the monotonic clock. */
  readonly typedAt: RefObject<number>
  /** A key went to another part of the screen: the person is at the keyboard all the same. */
  touch(): void
  write(keys: readonly Key[], canSend: boolean): void
  /** Ctrl-C: ends what goes on, else clears the line, else leaves at the second time. */
  interrupt(): void
  note(tone: 'plain' | 'warning', ...lines: readonly SafeText[]): void
}

/** What a person writes, sends and stops. */
export function useTalk(source: ChatSource, { state, tell }: LiveChat, onGrants: () => void): Talk {
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

  // Tried after every frame: what the screen knows of the agent is a frame old.
  useEffect(() => {
    if (queued.current !== null && !state.isWorking && source.say(queued.current)) queued.current = null
  })

  const note: Talk['note'] = (tone, ...lines) => tell({ kind: 'note', lines, tone })

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
    hints: fitting(textOf(composer.state.cells), commands),
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
      const [completed] = isTab ? fitting(textOf(composer.state.cells), commands) : []
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

/** The line a person writes in, on the screen. */
interface LiveComposer {
  readonly state: ComposerState
  /** Takes keys; gives the whole text when it was sent. */
  take(keys: readonly Key[], canSend: boolean): string | null
  /** Puts a text into the line. */
  put(text: string): void
}

/** Keys may come faster than frames: the line is kept apart from what was drawn of it. */
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
