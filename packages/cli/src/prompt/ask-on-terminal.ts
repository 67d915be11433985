import { type GateEvent, type HeldCallView, openView, safeText } from '@countersign/core'
import { decide, type OpenedGate } from '@countersign/node'
import { createPaint, decidedLine, endedLine } from '@countersign/terminal/card'
import type { LocalKey } from '../home/approver-key.ts'
import { passkeyWords } from '../home/inbox-address.ts'
import type { Terminal } from '../terminal/controlling-terminal.ts'
import { openPrompt, type Prompt } from './run-prompt.ts'

/** Dependencies of `askOnTerminal`. */
export interface Asking {
  /** Opened for each held call and closed after it, so that the command has the terminal in between. */
  terminal(): Terminal | null
  key(terminal: Terminal): LocalKey
  /** Called if there is no terminal; the call stays held for another surface. */
  onNobody(view: HeldCallView): void
  withdraw(callId: string): void
}

/** Asks on the terminal for the held calls of one gate. */
export interface AskingTerminal {
  stop(): void
  /** Whether the terminal has already shown that this call does not run. */
  toldRefusal(callId: string): boolean
}

/** Shows each held call of this gate on the terminal, one after the other. */
export function askOnTerminal(opened: OpenedGate, asking: Asking): AskingTerminal {
  const queue: HeldCallView[] = []
  const told = new Set<string>()
  let current: { readonly callId: string; readonly prompt: Prompt; readonly terminal: Terminal } | null = null
  const { clock, crypto } = opened.ports

  function next(): void {
    while (current === null) {
      const view = queue.shift()
      if (view === undefined) return
      const terminal = asking.terminal()
      if (terminal === null) asking.onNobody(view)
      else show(view, terminal)
    }
  }

  function show(view: HeldCallView, terminal: Terminal): void {
    try {
      const key = asking.key(terminal)
      const prompt = openPrompt(openView(view, crypto), {
        terminal,
        clock,
        ...(key.sealed ? { seal: { giveUp: () => giveUp(view) } } : {}),
        async decide(decision, passphrase) {
          await key.recorded
          const approver = key.open(passphrase)
          return decide(opened.desk, view, decision, { approver, surface: 'terminal', crypto })
        },
        withdraw: () => asking.withdraw(view.id),
        inbox: () => passkeyWords(opened.home),
      })
      current = { callId: view.id, prompt, terminal }
    } catch (error) {
      // INVARIANT: L3 a call that cannot be shown cannot be approved.
      const why = safeText(error instanceof Error ? error.message : 'unknown')
      terminal.write(`countersign: can’t show this call (${why}); it was withdrawn\n`)
      terminal.close()
      asking.withdraw(view.id)
    }
  }

  /** INVARIANT: L3 a locked key decides nothing: the call waits for another surface or its deadline. */
  function giveUp(view: HeldCallView): void {
    end(view.id, () => 'countersign: wrong passphrase; no decision was made')
    asking.onNobody(view)
    next()
  }

  function end(callId: string, line: (terminal: Terminal) => string, refused = false): void {
    const waiting = queue.findIndex((view) => view.id === callId)
    if (waiting >= 0) queue.splice(waiting, 1)
    if (current?.callId !== callId) return
    if (refused) told.add(callId)
    current.prompt.close(line(current.terminal))
    current.terminal.close()
    current = null
  }

  function onEvent(event: GateEvent): void {
    switch (event.kind) {
      case 'held':
        end(event.callId, () => 're-evaluated: the policy or the arguments changed')
        queue.push(event.view)
        break
      case 'decided': {
        const { signed, by } = event
        const { kind, reason } = signed.decision
        const from = signed.surface === 'terminal' ? {} : { surface: signed.surface }
        end(
          event.callId,
          ({ color }) => decidedLine({ kind, by, at: clock.now(), reason, ...from }, createPaint(color)),
          kind === 'reject',
        )
        break
      }
      case 'refused':
        end(event.callId, ({ color }) => endedLine(event.refusal, clock.now(), createPaint(color)), true)
        break
      default:
        return
    }
    next()
  }

  const stop = opened.gate.subscribe(onEvent)
  return {
    stop() {
      stop()
      queue.length = 0
      if (current !== null) end(current.callId, () => 'closed')
    },
    toldRefusal: (callId) => told.has(callId),
  }
}
