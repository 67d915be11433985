import type { HostAnswer, Printed } from './host-answer.ts'
import type { HostEvent } from './host-event.ts'
import type { HostName } from './host-name.ts'

/** An event that the hook is installed for. */
export interface InstalledEvent {
  /** As the agent's settings call it; also on the hook's command line: `countersign hook <host> <event>`. */
  readonly name: string
  readonly kind: 'before' | 'report'
}

/**
 * One coding agent's hook contract. INVARIANT: L3, `print` returns only shapes that this host obeys; a refusal is always a
 * refusal there, whatever its reason.
 */
export interface HostContract {
  readonly name: HostName
  /** As people write it. */
  readonly title: string
  /** `proven`: tested with the real program. `contract only`: recorded from documentation, the program is not on npm. */
  readonly evidence: 'proven' | 'contract only'
  /** Whether a hook can replace a tool's arguments, which lets shell commands run in the sandbox. */
  readonly rewrites: boolean
  /** The events that our hook is installed for. Only `before` events are answered; the others are reports. */
  readonly events: readonly InstalledEvent[]
  /** Its tools whose `command` is a shell command line. */
  readonly shells: readonly string[]
  /**
   * Its tools that change nothing outside of the agent: its notes, questions to its person, and agents that it starts, whose calls
   * are asked about one by one.
   */
  readonly own: readonly string[]
  /** Whether a hook can make the host ask in its own prompt. */
  readonly asks: boolean
  /**
   * Whether its refusal with exit code 2 and a message on stderr is still a refusal. Other agents read this host's hook files too, and
   * obey the exit code if not the shape.
   */
  readonly refusesByExit: boolean
  /** What the host does when the hook does not answer in time: `runs` needs the host's own prompt as a second safeguard. */
  readonly onTimeout: 'runs' | 'refuses' | 'waits'
  /**
   * Reads one event, as parsed from stdin. `event` is the event's name from the hook's command line, for hosts that do not
   * name it in the payload. Throws CS_HOST_EVENT for anything else than what the host is known to send.
   */
  read(payload: unknown, event: string | undefined): HostEvent
  /** What the agent said and thought last, from the end of its conversation file. */
  lastWords(text: string): { readonly said: string | null; readonly reasoning: string | null }
  /** The answer to the event before a tool. */
  print(answer: HostAnswer, event: string | undefined): Printed
}
