/** What the guide imports: the reader's own agent. */
import { type LanguageModel, type ModelMessage, tool } from 'ai'
import { z } from 'zod'

export declare const model: LanguageModel
export const publish = tool({
  description: 'Puts a page online',
  inputSchema: z.object({ page: z.string() }),
  execute: async ({ page }) => `${page} is online`,
})
export declare const tickets: Map<string, string>
export declare function load(chat: string): Promise<ModelMessage[]>
export declare function save(chat: string, messages: ModelMessage[]): Promise<void>
