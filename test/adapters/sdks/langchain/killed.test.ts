import { join } from 'node:path'
import { killAtEveryMoment } from '../../support/kill-stages.ts'

killAtEveryMoment('LangGraph', join(import.meta.dirname, 'durable-child.ts'))
