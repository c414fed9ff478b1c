"""Words that columns are called by, in several languages, and what they stand for.

English, German, French, Spanish, Italian, Dutch, Portuguese and Catalan; without
accents, in small letters and without spaces. A name that is several words is looked up
as each run of them, the longest first.
"""

# What names people, or the things that one person has: never released.
_PEOPLE_NUMBERS = """
id ids uid guid uuid pid mrn ssn sin tin nino nhs nhsnumber nhsno nif dni nie bsn cpf
cip cnp pesel personnummer cpr ahv avs ahvnummer avsnumber svnr svnummer ean
socialsecurity socialsecuritynumber socialsecurityno nationalid nationalnumber
nationalinsurance nationalinsurancenumber taxid taxnumber passport passportno
passportnumber driverslicense driverlicence licenceplate licenseplate numberplate vin
patientid patientno patientnumber patientnr casenumber caseno caseid personid personno
personnumber memberid memberno customerid customerno customernumber clientid clientno
userid username useraccount login accountid accountno accountnumber iban bic
creditcard creditcardnumber cardnumber policyno policynumber insuranceno insurancenumber
employeeid employeeno employeenumber studentid studentno studentnumber respondentid
subjectid subjid participantid recordid rowid recordno recordnumber codenumber
samplenumber sampleid ipaddress ip macaddress mac deviceid imei imsi cookie cookieid
household householdid hhid householdno familyid tweetid twitter url website homepage
email emailaddress mail mailaddress phone phoneno phonenumber telephone telephoneno tel
mobile mobileno mobilephone cellphone fax
personalausweis personalausweisnummer ausweisnummer ausweis reisepass steuernummer
steuerid sozialversicherungsnummer versicherungsnummer versichertennummer krankenkasse
krankenversichertennummer patientennummer patientennr patientenid fallnummer fallnr
kundennummer kundennr mitgliedsnummer personalnummer matrikelnummer kontonummer konto
kennzeichen haushalt haushaltsnummer telefon telefonnummer handy handynummer mobilnummer
emailadresse nummer laufnummer lfdnr
identifiant matricule numerosecuritesociale numsecu nir numeropatient numpatient ipp
numeroclient passeport plaque immatriculation courriel adressemail telephoneportable
portable foyer menage identificador identificacion numeropaciente numerodecliente
numeroseguridadsocial seguridadsocial nss tarjetasanitaria pasaporte matricula correo
correoelectronico telefono movil hogar historiaclinica numerohistoria expediente
codicefiscale partitaiva tesserasanitaria numerotessera passaporto targa telefonino
cellulare postaelettronica nucleofamiliare
burgerservicenummer rijksregisternummer sofinummer patientnummer klantnummer
rekeningnummer kenteken paspoort telefoonnummer telefoon gsm mobiel huishouden
numerodeutente utente nis contribuinte numerodecontribuinte cartaodecidadao bilhete
telemovel telefone celular agregado passaporte
numeropacient telefonmobil correuelectronic correu targetasanitaria llar passaport
"""

# Whose record it is, if a name says no more: "patient", but not "patient_age".
_PEOPLE = """
patient person client customer case subject participant respondent proband member user
employee student pupil individual donor insured applicant
patientin kunde kundin klient klientin probandin teilnehmer teilnehmerin mitglied
versicherter mitarbeiter mitarbeiterin schueler schuler
personne cas sujet adherent assure salarie eleve
paciente persona cliente sujeto caso participante empleado alumno
paziente soggetto partecipante dipendente
persoon klant deelnemer
pessoa sujeito pacient subjecte
"""

# What is counted of people, also of what names them: "phone_calls".
_COUNTED = """
calls count counts visits messages logins minutes contacts times total anrufe anzahl
besuche kontakte appels visites llamadas visitas chiamate visite telefonate
oproepen bezoeken chamadas trucades
"""

# Names that only people have.
_NAMES_OF_PEOPLE = """
fullname firstname forename givenname middlename lastname surname familyname maidenname
patientname personname nickname
vorname nachname familienname geburtsname rufname
prenom nomdefamille nomcomplet nomdejeunefille
apellido apellidos nombrecompleto
cognome nomecompleto
voornaam achternaam familienaam
nomecompleto sobrenome apelido
cognom cognoms nomicognoms
"""

# What things have too, or several people together: it may repeat, and numbers nobody.
_SHARED_NAMES = """
name names initials patient contactname address addressline street streetaddress
streetname housenumber houseno signature photo
namen anschrift adresse strasse strassenname hausnummer unterschrift
nom rue adressepostale
nombre nombres direccion domicilio calle
nome indirizzo
naam adres straat straatnaam huisnummer
endereco morada rua
adreca carrer
"""

# What others may know of a person.
_KNOWN = """
age ageyears agegroup ageband agerange birth birthdate dateofbirth dob birthday
birthyear yearofbirth birthmonth born sex gender race ethnicity ethnic ethnicgroup
nationality citizenship nativecountry birthcountry countryofbirth birthplace
placeofbirth country state region province county district city town village
municipality place location area zone zip zipcode postcode postalcode postal lat lon
latitude longitude lng geo coordinates maritalstatus marital civilstatus relationship
children kids nchildren numberofchildren familysize householdsize persons education
educationnum educationlevel degree school schooling occupation job jobtitle profession
employer employment employmentstatus workclass industry sector language mothertongue
height bodyheight bodyweight eyecolor eyecolour haircolor admission admissiondate
admitted discharge dischargedate visitdate dateofdeath deathdate died death date
hoursperweek hours tenure rooms car housing
alter altersgruppe geburt geburtsdatum geburtstag gebdat geburtsjahr geschlecht
nationalitaet nationalitat staatsangehoerigkeit staatsangehorigkeit herkunft
geburtsland geburtsort land bundesland kreis landkreis bezirk gemeinde ort wohnort stadt
plz postleitzahl familienstand kinder kinderzahl haushaltsgroesse haushaltsgrosse
bildung schulabschluss abschluss beruf arbeitgeber branche sprache muttersprache groesse
grosse aufnahme aufnahmedatum entlassung entlassungsdatum sterbedatum datum
naissance datenaissance datedenaissance anneenaissance ddn sexe genre nationalite
paysdenaissance lieudenaissance pays departement commune ville codepostal
etatcivil situationfamiliale enfants nombredenfants diplome niveauetudes metier
profession employeur langue taille datedadmission dateentree datesortie datededeces
edad fechanacimiento fechadenacimiento nacimiento anonacimiento sexo genero raza etnia
nacionalidad paisdenacimiento lugardenacimiento pais provincia comunidad municipio
ciudad poblacion localidad codigopostal estadocivil hijos numerodehijos estudios
niveldeestudios ocupacion profesion empleo idioma talla altura fechadeingreso
fechaingreso fechaalta fechadealta fechadefuncion fecha
eta datanascita datadinascita nascita annonascita sesso genere nazionalita cittadinanza
paesedinascita luogodinascita paese regione comune citta cap codicepostale statocivile
figli titolodistudio istruzione occupazione professione lingua statura altezza
dataricovero datadimissione datadecesso
leeftijd geboortedatum geboorte geboortejaar geslacht nationaliteit geboorteland
geboorteplaats provincie gemeente stad woonplaats plaats burgerlijkestaat kinderen
opleiding beroep werkgever taal lengte opnamedatum ontslagdatum overlijdensdatum
idade datanascimento datadenascimento nascimento anonascimento nacionalidade
paisdenascimento naturalidade distrito concelho freguesia cidade codigopostal cep
filhos escolaridade habilitacoes ocupacao profissao emprego lingua altura
datadeinternamento datadealta datadeobito
edat datanaixement datadenaixement naixement anynaixement genere nacionalitat
paisdenaixement llocdenaixement comarca municipi ciutat poblacio codipostal estatcivil
fills estudis ocupacio professio llengua alcada datadingres
"""

# What nobody but the person should tell.
_TOLD = """
diagnosis diagnoses diagnostic disease illness condition icd icdcode drg
comorbidity symptom symptoms medication medications drug drugs prescription treatment
therapy procedure surgery outcome result results testresult lab hiv aids std cancer
tumor tumour pregnancy pregnant abortion disability mental psychiatric depression
addiction alcohol smoking smoker genetic genotype mutation bloodpressure cholesterol
glucose hbac cost costs charge charges bill claim claims income incomes salary salaries
wage wages earnings pay payment bonus wealth assets debt debts loan balance credit
creditscore turnover revenue capitalgain capitalloss religion religious faith belief
political politics party vote voting union unionmember sexualorientation orientation
crime criminal conviction offence offense arrest grade grades mark marks score
satisfaction opinion rating progression class target label
diagnose diagnosen krankheit erkrankung befund befunde ergebnis laborwert medikament
medikamente therapie behandlung eingriff kosten einkommen gehalt lohn verdienst
vermoegen vermogen schulden kredit religion konfession glaube partei gewerkschaft
sexuelleorientierung straftat vorstrafe schwangerschaft behinderung sucht rauchen
raucher note noten bewertung meinung
maladie affection resultat resultats traitement medicament cout couts revenu revenus
salaire remuneration patrimoine dette dettes croyance confession parti vote syndicat
orientationsexuelle condamnation grossesse handicap tabac fumeur avis
diagnostico enfermedad patologia resultado resultados tratamiento medicamento coste
costes ingresos ingreso renta salario sueldo patrimonio deuda deudas religion creencia
partido voto sindicato orientacionsexual delito condena embarazo discapacidad tabaco
fumador nota notas opinion vih sida
diagnosi malattia patologia risultato risultati esito trattamento terapia farmaco
farmaci costo costi reddito redditi stipendio salario patrimonio debito debiti religione
partito voto sindacato orientamentosessuale reato condanna gravidanza disabilita fumo
fumatore voto giudizio
ziekte aandoening uitslag uitkomst behandeling medicatie kosten inkomen salaris loon
vermogen schuld schulden godsdienst geloof partij stem vakbond seksuelegeaardheid
misdrijf zwangerschap beperking roken roker cijfer mening
doenca patologia resultado tratamento medicacao custo custos rendimento rendimentos
renda vencimento divida dividas religiao crenca partido voto sindicato orientacaosexual
crime gravidez deficiencia tabagismo fumador fumante nota opiniao
malaltia resultat tractament medicament cost ingressos renda salari sou deute religio
creenca partit vot sindicat orientaciosexual delicte embaras discapacitat tabac fumador
"""

# How many people a record stands for.
_WEIGHTS = """
fnlwgt afnlwgt finalweight samplingweight sampleweight surveyweight personweight
pweight perwt hhweight hhwt householdweight expansionfactor inflationfactor wgt wgtp
pwgtp weightvar designweight calibrationweight pw dw dweight pspwght anweight finalwt
samplewt svywt svyweight weightfinal phrf hhrf designgewicht hochrechnungsfaktoren
gewichtung gewichtungsfaktor hochrechnung hochrechnungsfaktor hochrechnungsgewicht
stichprobengewicht personengewicht
ponderation poidsdesondage poidssondage coefficientdeponderation
ponderacion factordeexpansion factorexpansion factordeelevacion pesomuestral
pesocampionario coefficientediriporto fattorediespansione
weegfactor wegingsfactor steekproefgewicht
ponderacao fatordeexpansao fatorexpansao pesoamostral
ponderacio factordexpansio
"""

# A weight of either sort: of a body or of a record.
_WEIGHT = "weight weights wt wts gewicht gew poids peso pes"

# What somebody wrote in words of his own.
_FREE_TEXT = """
comment comments remark remarks notes freetext narrative anamnesis letter report
bemerkung bemerkungen kommentar kommentare freitext anmerkung anmerkungen arztbrief
anamnese commentaire commentaires remarque remarques comentario comentarios
observaciones commento commenti osservazioni opmerking opmerkingen observacoes
comentaris observacions
"""

# Codes whose first characters are groups.
_PREFIXES = """
zip zipcode postcode postalcode postal plz postleitzahl codepostal codigopostal cap
codicepostale postcode codipostal cep icd icdcode nace naics sic isco soc
occupationcode nuts ags fips cpv atc atccode ops drg insee
"""

# Codes of a public classification, however they are written.
_CLASSIFICATIONS = """
isco icd icdcode nace naics sic soc occupationcode nuts cpv atc atccode coicop kldb noga
anzsco isic cie wz
"""

# How many people or things there are: 9 of them may be.
_SIZES = """
size hhsize hhgroesse householdsize familysize famsize groesse grosse haushaltsgroesse
count counts number num n anzahl zahl children kids nchild nchildren nkids kinder
kinderzahl enfants nbenfants hijos numhijos figli kinderen filhos fills persons people
personen personnes personas persone members mitglieder visits rooms zimmer cars
"""

# Whole numbers that count or measure, whatever few of them there are.
_COUNTS = """
hours days months years age alter edad eta leeftijd idade edat year jahr annee ano anno
jaar any score level stage grade rank
"""

# Years, if the numbers are such.
_YEARS = """
year yr jahr annee ano anno jaar any birth birthyear yob born geburt geburtsjahr gebjahr
naissance anneenaissance nacimiento anonacimiento nascita annonascita geboorte
geboortejaar nascimento anonascimento naixement anynaixement
"""

# Whole numbers that are categories, by what they say.
_CATEGORIES = """
sex gender geschlecht sexe sexo sesso geslacht race ethnicity ethnic region regione
state bundesland province provincia district type kind category group class code
status familienstand maritalstatus marital etatcivil estadocivil statocivile
burgerlijkestaat estatcivil country land pays pais paese nationality occupation job
sector industry religion party
"""

# What sets a number of people apart from an amount of something.
_BODIES = (
    "height bodyheight bmi groesse grosse taille talla altezza lengte altura alcada"
)

IDENTIFIER, NAMED, KNOWN, TOLD, WEIGHTS, WEIGHT = (
    "identifier",
    "named",
    "known",
    "told",
    "weights",
    "weight",
)
SENSES = {
    IDENTIFIER: frozenset(_PEOPLE_NUMBERS.split()),
    NAMED: frozenset([*_NAMES_OF_PEOPLE.split(), *_SHARED_NAMES.split()]),
    TOLD: frozenset(_TOLD.split()),
    KNOWN: frozenset(_KNOWN.split()),
    WEIGHTS: frozenset(_WEIGHTS.split()),
    WEIGHT: frozenset(_WEIGHT.split()),
}
PERSON_WORDS = frozenset(_PEOPLE.split())
COUNTED_WORDS = frozenset(_COUNTED.split())
PERSON_NAME_WORDS = frozenset(_NAMES_OF_PEOPLE.split())
FREE_TEXT_WORDS = frozenset(_FREE_TEXT.split())
PREFIX_WORDS = frozenset(_PREFIXES.split())
CLASSIFICATION_WORDS = frozenset(_CLASSIFICATIONS.split())
SIZE_WORDS = frozenset(_SIZES.split())
COUNT_WORDS = SIZE_WORDS | frozenset(_COUNTS.split())
YEAR_WORDS = frozenset(_YEARS.split())
CATEGORY_WORDS = frozenset(_CATEGORIES.split())
BODY_WORDS = frozenset(_BODIES.split())

# Texts that say that there is no value, in small letters.
MARK_WORDS = frozenset(
    """? ?? - -- --- . .. n.a. n.a na n/a #n/a #na nan null nil
    unknown unk unkn missing (missing) <missing> undefined unspecified
    unbekannt k.a. k.a fehlt fehlend inconnu sconosciuto onbekend desconocido
    desconhecido desconegut desconocida desconeguda ns/nc nsnc n.d. n/d""".split()
) | {
    "not known",
    "not stated",
    "not available",
    "not applicable",
    "no answer",
    "keine angabe",
    "k. a.",
    "nicht bekannt",
    "non renseigne",
    "non renseigné",
    "no consta",
    "no sabe",
    "non disponibile",
    "non noto",
    "niet bekend",
    "sem informacao",
    "sem informação",
    "sense informacio",
    "sense informació",
}

# Labels of values that are none, beside these.
LABELS_OF_NONE = MARK_WORDS | {
    "refused",
    "refusal",
    "refuses to answer",
    "don't know",
    "dont know",
    "does not know",
    "not asked",
    "no response",
    "no data",
    "invalid",
    "inapplicable",
    "trifft nicht zu",
    "weiss nicht",
    "weiß nicht",
    "weiß nicht/keine angabe",
    "verweigert",
    "antwort verweigert",
    "nicht erhoben",
    "ne sait pas",
    "sans reponse",
    "sans réponse",
    "non reponse",
    "non réponse",
    "no contesta",
    "no responde",
    "non risponde",
    "non sa",
    "geen antwoord",
    "weet niet",
    "nao sabe",
    "não sabe",
    "nao responde",
    "não responde",
    "no contesta/no sap",
}
