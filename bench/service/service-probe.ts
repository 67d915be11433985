/**
 * Loaded into the service's process before the command: records times and memory, and reports them on request.
 * Run as: node --expose-gc --import service-probe.ts <the command> serve
 */
import { watchClocks } from './service-clocks.ts'
import type { MemoryFigures, ServiceQuestion } from './stage.ts'

const clocks = watchClocks()

async function answer(question: ServiceQuestion): Promise<unknown> {
  switch (question) {
    case 'clocks':
      return clocks()
    case 'memory':
      return memory()
    case 'collected memory':
      await globalThis.gc?.()
      return memory()
  }
}

function memory(): MemoryFigures {
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
  return { rssMb: rss / 1e6, heapMb: heapUsed / 1e6, reservedMb: heapTotal / 1e6, externalMb: external / 1e6 }
}

process.on('message', async (question: ServiceQuestion) => process.send?.({ answer: await answer(question) }))
process.on('disconnect', () => process.exit(1))
process.channel?.unref() // lets a stopped service exit
process.send?.({ watching: true })
