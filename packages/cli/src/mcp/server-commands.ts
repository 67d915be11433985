import type { Command } from 'commander'
import { nested } from '../nested-command.ts'
import type { Io } from '../terminal/io.ts'
import { defineSignIn } from './sign-in/sign-in.ts'
import { defineSignOut } from './sign-in/sign-out.ts'
import { defineAccept } from './tools/accept.ts'
import { defineForget } from './tools/forget.ts'
import { defineTools } from './tools/list.ts'
import { defineTrust } from './tools/trust.ts'
import { defineUnwrap } from './wrap/unwrap.ts'
import { defineWrap } from './wrap/wrap.ts'

/** The commands below `countersign mcp` that a person uses; each loads what it needs only when it runs. */
export function defineServerCommands(command: Command, io: Io): void {
  defineWrap(nested(command, 'wrap', 'put the servers of a client behind the gate'), io)
  defineUnwrap(nested(command, 'unwrap', 'take them out again, byte for byte'), io)
  defineTools(nested(command, 'tools', 'list the tools of servers: accepted, and what waits'), io)
  defineAccept(nested(command, 'accept', 'look at what a server changed, and accept it'), io)
  defineForget(nested(command, 'forget', 'take tools out of what was accepted'), io)
  defineTrust(nested(command, 'trust', 'believe a server when it says that a tool only reads'), io)
  defineSignIn(nested(command, 'sign-in', 'sign in to a server over HTTP, for the proxy'), io)
  defineSignOut(nested(command, 'sign-out', 'end that, here and where it was given'), io)
}
