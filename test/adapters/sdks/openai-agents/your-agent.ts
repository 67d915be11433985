/** What the guide imports: the reader's own agent. */
import { Agent, tool } from '@openai/agents'
import { z } from 'zod'

export const publish = tool({
  name: 'publish',
  description: 'Puts a page online',
  parameters: z.object({ page: z.string() }),
  execute: async ({ page }) => `${page} is online`,
})
export const agent = new Agent({ name: 'publisher', tools: [publish] })
export const researcher = new Agent({ name: 'researcher', tools: [publish] })
export declare const tickets: Map<string, string>
export declare function load(job: string): Promise<string>
export declare function save(job: string, state: string): Promise<void>
