/** What the guide imports: the reader's own agent. */
import { MemorySaver } from '@langchain/langgraph'
import { fakeModel, tool } from 'langchain'
import { z } from 'zod'

export const publish = tool(async ({ page }: { readonly page: string }) => `${page} is online`, {
  name: 'publish',
  description: 'Puts a page online',
  schema: z.object({ page: z.string() }),
})
export const model = fakeModel()
export const checkpointer = new MemorySaver()
export declare const tickets: Map<string, string>
