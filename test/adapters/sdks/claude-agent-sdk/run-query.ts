import { join } from 'node:path'
import { createSdkMcpServer, type Options, query, tool } from '@anthropic-ai/claude-agent-sdk'
import { type ClaudeOptions, gateOptions } from '@countersign/adapters/claude-agent-sdk'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { openStandInModel } from '../../../../packages/hosts/src/canary/model/stand-in-model.ts'
import type { OpenDesk } from '../../support/open-desk.ts'

/** A call of the scripted model. */
export interface Asked {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
}

/** Runs the SDK's program with a model that makes these calls in its first turn. Its MCP server `mail` has a tool `send`. */
export async function startQuery(
  desk: Pick<OpenDesk, 'gate'>,
  calls: readonly Asked[],
  ran: (what: string) => string,
  { about = {}, ...own }: Options & { readonly about?: ClaudeOptions } = {},
) {
  const model = await openStandInModel([{ text: 'I do it now', calls }, { text: 'done' }])
  onTestFinished(() => model.close())
  const home = temporaryFolder()
  const mail = createSdkMcpServer({
    name: 'mail',
    tools: [
      ...['send', 'look'].map((name) =>
        tool(name, `Does ${name}`, { to: z.string() }, async ({ to }) => ({
          content: [{ type: 'text', text: ran(`${name} ${to}`) }],
        })),
      ),
    ],
  })
  const options: Options = {
    cwd: home,
    settingSources: [],
    mcpServers: { mail },
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      ANTHROPIC_BASE_URL: model.origin,
      ANTHROPIC_API_KEY: ['stand', 'in'].join('-'),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
    ...own,
  }
  const finish = async (): Promise<string> => {
    let result = ''
    for await (const message of query({ prompt: 'go', options: gateOptions(options, desk.gate, about) }))
      if (message.type === 'result' && message.subtype === 'success') result = message.result
    return result
  }
  return { home, finished: finish(), told: () => model.toolResults.map(({ text }) => text).join('\n') }
}
