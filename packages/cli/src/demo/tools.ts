import type { AgentTool } from '@countersign/agent'

/** Tools that only pretend: one that nobody described, and one whose effect could not be taken back. */
export const PRETENDED_TOOLS: readonly AgentTool[] = [
  {
    name: 'frobnicate',
    description: 'Frobnicates a target.',
    inputSchema: { type: 'object', properties: { target: { type: 'string' } } },
    source: 'custom',
    run: async ({ target }) => `frobnicated ${String(target)} (only pretended)`,
  },
  {
    name: 'send_email',
    description: 'Sends an e-mail.',
    inputSchema: { type: 'object', properties: { to: { type: 'string' }, body: { type: 'string' } } },
    source: 'custom',
    run: async ({ to }) => `sent to ${String(to)} (only pretended)`,
  },
]
