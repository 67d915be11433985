import type { CueTable, ForeignVerbs } from './cue.ts'

/** The plain asks and announcements of Spanish. */
export const SPANISH: CueTable = {
  own: `
    voy|vamos|procedo|procedemos|procederé|procederemos|procediendo|paso|pasaré a
    estoy|estamos a punto de
    estoy|estamos por|listo|lista|listos para?
    a punto de
    tengo|tenemos que
    necesito|necesitamos|quiero|queremos|planeo|pienso|debo|debemos|pretendo|deseo
    me dispongo a
    estoy|estamos
    mi plan es
    el siguiente|próximo paso es
    siguiente paso? :
    antes de que?
  `,
  ask: `
    debo|debería|deberíamos|puedo|podemos|podría|podríamos yo?
    quiere|quieres|desea|deseas|quieren|desean que
    quiere|quieres|desea|deseas
    le|te parece bien si|que
    le|te importa|molesta si|que
    está|estás|estaría|es de|bien|seguro acuerdo|que|si|para con? que?
    me permite|permites|autoriza|autorizas|das|da permiso? para|a?
    tengo su|tu permiso|autorización|aprobación para
    necesito|requiero|solicito|pido su|tu permiso|autorización|aprobación|confirmación para|antes
    ok para
  `,
  wait: `
    procedo|continúo|continuo|sigo|proseguimos|procedemos|continuamos|seguimos|avanzo ?
    procedo|continúo|sigo|seguimos|procedemos con|adelante
    debo|puedo|podemos|debería proceder|continuar|seguir|hacerlo|avanzar con|adelante?
    desea|quiere|quieres|deseas que? continuar|proceder|continúe|proceda|siga|seguir|lo|haga haga?
    confirma|confirme|confirmas|confírmame|confírmeme|confirmar por|que|si|para|la|el|antes|? favor|desea|quiere|quieres|debo|continuar|eliminación?
    por favor confirma|confirme|autorice|autoriza|apruebe|aprueba
    necesito|requiero|espero|esperando|esperaré|espero|aguardo su|tu|la? confirmación|aprobación|autorización|permiso|respuesta|visto
    requiere su|tu|la? confirmación|aprobación|autorización
    está|estás seguro|segura|seguros
    está|estás|estamos de acuerdo
    de acuerdo ?
    le|te parece bien
    me da|das|dan luz|su|tu|el verde|visto|permiso|autorización|aprobación
    con su|tu permiso|autorización
    si está|estás|usted|tú|lo|me de|lo|confirma|aprueba|autoriza|confirmas|apruebas|autorizas acuerdo?
    una vez|cuando que? lo|me? confirmes|confirme|apruebe|apruebes|autorice
    sí o no
    s/n
    escriba|escribe|responda|responde sí|si|confirmar
    avísame|avíseme|dime|dígame si debo|puedo|quieres|quiere|desea que?
  `,
  offer: `
    quieres|quiere que te|le
  `,
  you: `
    puedes|puede|debes|debe|tienes|tiene|deberías que?
    usted|ustedes|tú
    para
    cómo
  `,
  past: `
    he|hemos|había|ha|han|fue|fueron|ya
  `,
  thought: `
    podría|podrían|sería|habría
    por ejemplo
  `,
  condition: `
    si|cuando
  `,
  claim: `
    el? usuario|cliente|administrador ya? ha|lo|la? aprobado|autorizado|aprobó|autorizó|confirmado|confirmó|dado|dio|aceptó
    ya ha|ha|has|fue|está|lo|me|? sido? aprobado|autorizado|aprobaste|autorizaste|confirmaste|confirmado|aprobada|autorizada
    como ya? autorizaste|autorizó|aprobaste|aprobó|acordado
  `,
  doubt: `
    no estoy|estamos seguro|segura|seguros de|si
    no sé si
    podría|puede romper|dañar|afectar|borrar|perder|perderse|corromper|eliminar
    tengo dudas|mis
  `,
  warning: `
    no se puede|podrá deshacer|revertir|recuperar
    es irreversible
    irreversible
    no hay vuelta|marcha
    sin posibilidad de
  `,
  idle: `
    tiene|tienes alguna|más|otra? pregunta|preguntas|duda|dudas
    te|le explico
    algo más
    alguna pregunta|duda|otra
    puedo ayudarte|ayudarle|ayudar|explicar|explicarte
    quieres|quiere|desea|te|le que|? te|le|? explique|muestre|ayude|cuente|resuma|gustaría
  `,
  not: `
    no|nunca|jamás|sin|ningún|ninguna|nada|tampoco
    en lugar|vez de
  `,
  light: `
    proceder a
    seguir adelante con
  `,
}

export const SPANISH_VERBS: ForeignVerbs = {
  destroy: {
    base: 'eliminar borrar suprimir destruir vaciar purgar truncar eliminarlos borrarlos eliminarla borrarla eliminarlo borrarlo eliminarlas borrarlas elimine borre eliminemos borremos',
    ing: 'eliminando borrando suprimiendo purgando vaciando',
    past: 'eliminado eliminada eliminados eliminadas borrado borrada borrados borradas',
    self: 'eliminaré borraré eliminaremos borraremos elimino borro eliminamos suprimiré vaciaré',
    third: 'eliminará borrará eliminarán borrarán',
  },
  overwrite: {
    base: 'sobrescribir sobreescribir reemplazar restablecer sobrescriba',
    ing: 'sobrescribiendo',
    self: 'sobrescribiré',
    third: 'sobrescribirá',
    past: 'sobrescrito sobrescritos',
  },
  deploy: {
    base: 'desplegar implementar-en publicar lanzar despliegue publique despleguemos',
    ing: 'desplegando publicando',
    self: 'desplegaré publicaré despliego publico',
    past: 'desplegado',
  },
  send: { base: 'enviar mandar envíe mande enviarles', ing: 'enviando', self: 'enviaré envío enviaremos mandaré' },
  pay: {
    base: 'pagar transferir comprar reembolsar cobrar pague transfiera compre',
    ing: 'pagando transfiriendo',
    self: 'pagaré transferiré compraré pago transfiero',
  },
  bounce: { base: 'reiniciar reinicie', ing: 'reiniciando', self: 'reiniciaré reinicio' },
  stop: { base: 'detener', ing: 'deteniendo', self: 'detendré' },
  migrate: { base: 'migrar migre', ing: 'migrando', self: 'migraré' },
  grant: { base: 'otorgar revocar conceder', ing: 'otorgando revocando', self: 'otorgaré revocaré' },
  cancel: { base: 'cancelar cancele', self: 'cancelaré' },
  make: {
    base: 'leer revisar explicar mostrar analizar buscar comprobar verificar ver escribir crear añadir agregar probar ayudar resumir explique muestre',
    ing: 'leyendo revisando buscando analizando',
  },
  run: { base: 'ejecutar correr ejecute', ing: 'ejecutando', self: 'ejecutaré' },
  proceed: { base: 'proceder continuar seguir avanzar continúe proceda siga hacerlo' },
}
