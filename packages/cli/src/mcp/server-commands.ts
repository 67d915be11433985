import type { Command } from 'commander'
import type { Io } from '../io.ts'
import { nested } from '../nested.ts'
import { defineAccept } from './accept.ts'
import { defineForget } from './forget.ts'
import { defineSignIn } from './sign-in.ts'
import { defineSignOut } from './sign-out.ts'
import { defineTools } from './tools.ts'
import { defineTrust } from './trust.ts'
import { defineUnwrap } from './unwrap.ts'
import { defineWrap } from './wrap.ts'

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
