import type { Thing } from '../model/thing.ts'

/** What things are called in Spanish, French, German and Portuguese. */
export const FOREIGN_THINGS: Partial<Readonly<Record<Thing, string>>> = {
  code: `código función funciones variable variables línea líneas comentario comentarios importación importaciones prueba pruebas clase método
    code fonction fonctions ligne lignes commentaire commentaires importation test tests classe méthode
    funktion funktionen zeile zeilen kommentar kommentare klasse methode testfall testfälle leerzeichen tippfehler
    função funções linha linhas comentário comentários importações teste testes método erro error errores bug`,
  schema: `tabla tablas base índice columna columnas esquema table tables colonne colonnes schéma tabelle tabellen datenbank datenbanken
    spalte spalten tabela tabelas banco coluna colunas`,
  data: `registro registros fila filas cuenta cuentas usuario usuarios cliente clientes archivo archivos fichero ficheros carpeta carpetas
    directorio datos copia copias respaldo respaldos pedido pedidos factura facturas clave claves configuración historial rama ramas repositorio
    enregistrement enregistrements ligne lignes compte comptes utilisateur utilisateurs fichier fichiers dossier dossiers données sauvegarde
    sauvegardes commande commandes facture factures clé clés répertoire historique branche branches dépôt
    datensatz datensätze zeilen konto konten benutzer benutzerkonten kunde kunden datei dateien ordner verzeichnis daten sicherung sicherungen
    backups bestellung bestellungen rechnung rechnungen schlüssel konfiguration verlauf zweig
    registros conta contas usuário usuários utilizador utilizadores arquivo arquivos ficheiro ficheiros pasta pastas dados cópia cópias backup
    pedidos fatura faturas chave chaves configuração histórico repositório inquilinos`,
  infra: `servidor servidores servicio servicios clúster nodo nodos instancia instancias máquina contenedor sitio aplicación red
    serveur serveurs service services grappe nœud nœuds instance instances machine conteneur site réseau
    server dienst dienste knoten instanz instanzen rechner cluster netzwerk anwendung website
    serviço serviços nó nós instância instâncias máquina máquinas site aplicação aplicativo rede produktivserver`,
  people: `clientes usuarios usuários suscriptores empleados clients abonnés employés utilisateurs kunden mitarbeiter abonnenten nutzer
    assinantes funcionários colaboradores equipo équipe equipe`,
  message: `correo correos mensaje mensajes boletín courriel courriels mail e-mail message messages e-mails nachricht nachrichten
    rundmail newsletter mensagem mensagens boletim`,
  money: `dinero pago pagos reembolso argent paiement remboursement geld zahlung zahlungen dinheiro pagamento pagamentos suscripción abonnement assinatura`,
  access: `acceso accesos permiso permisos privilegio privilegios administrador rol accès droit droits permission permissions privilèges
    administrateur rôle zugriff zugriffe zugriffsrechte berechtigung berechtigungen rechte administrator adminrechte rolle acesso acessos
    permissão permissões privilégios token tokens puerto porta port`,
  guard: `cortafuegos firewall seguridad autenticación protección monitorización alertas copias pare-feu sécurité authentification protection
    supervision alertes sauvegardes compte comptes sicherheit authentifizierung schutz überwachung alarme backups konto konten segurança
    autenticação proteção monitoramento backups cuenta cuentas conta contas cuotas zwei-faktor-authentifizierung 2fa antivirus`,
  contract: `contrato pedido suscripción reserva contrat commande abonnement réservation vertrag bestellung abonnement buchung abo assinatura reserva factura facture fatura`,
  entity: `registro registros fila filas cuenta cuentas usuario usuarios cliente clientes pedidos facturas servidores servicios tablas
    enregistrements comptes utilisateurs clients commandes serveurs services tables konten benutzer kunden datensätze benutzerkonten server
    tabellen nutzer bestellungen contas usuários utilizadores clientes servidores serviços tabelas`,
  scratch: `temporal temporales temporaire temporaires temporär temporäre temporären temporário temporários caché cache zwischenspeicher`,
  secret: `credenciales contraseña contraseñas identifiants zugangsdaten passwort passwörter kennwörter credenciais senha senhas`,
  talk: `explicación resumen pregunta preguntas análisis explication résumé question analyse erklärung zusammenfassung frage fragen
    explicação resumo pergunta perguntas análise`,
}
