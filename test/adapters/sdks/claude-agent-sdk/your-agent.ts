/** What the guide imports: the reader's own agent. */
import { createSdkMcpServer, type SDKMessage, tool } from '@anthropic-ai/claude-agent-sdk'
import { z } from 'zod'

const publish = tool('publish', 'Puts a page online', { page: z.string() }, async ({ page }) => ({
  content: [{ type: 'text', text: `${page} is online` }],
}))
export const site = createSdkMcpServer({ name: 'site', tools: [publish] })
export declare function show(message: SDKMessage): void
